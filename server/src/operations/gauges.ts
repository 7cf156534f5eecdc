import { Gauge, type GaugeConfiguration, type Registry } from 'prom-client'

type GaugeOf = <Label extends string = never>(gauge: Omit<GaugeConfiguration<Label>, 'registers'>) => Gauge<Label>

/** @returns adds a gauge to the registry */
export function gaugesOf(registry: Registry): GaugeOf {
  return (gauge) => new Gauge({ ...gauge, registers: [registry] })
}
