/** A backend without the native helper: echoes TCP and UDP of both families, and prints who called. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const port = Number(process.argv[2])
let waiting = 3
function ready(): void {
  waiting -= 1
  if (waiting === 0) process.stdout.write('ready\n')
}
createServer((socket) => {
  process.stdout.write(`tcp ${socket.remoteAddress}\n`)
  socket.pipe(socket)
}).listen(port, '::', ready)
for (const [type, host] of [
  ['udp4', '0.0.0.0'],
  ['udp6', '::'],
] as const) {
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  socket.on('message', (message, from) => {
    process.stdout.write(`udp ${from.address}\n`)
    socket.send(message, from.port, from.address)
  })
  socket.bind(port, host, ready)
}
