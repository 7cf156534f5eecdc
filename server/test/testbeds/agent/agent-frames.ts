/** Frames as the agent writes them, byte by byte as server/native/README.md has it. */

export function agentFrame(type: number, channel: number, payload: Buffer, length = payload.length): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(length, 0)
  header.writeUInt16LE(type, 4)
  header.writeUInt16LE(channel, 6)
  return Buffer.concat([header, payload])
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
