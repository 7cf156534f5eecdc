/** A client without the native helper: sends a text over TCP and UDP, and prints what comes back. */
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'

const [, , address = '', port = '', text = ''] = process.argv
setTimeout(() => process.exit(1), 3000).unref()
await new Promise<void>((resolve) => {
  const socket = connect(Number(port), address, () => socket.write(text))
  socket.on('data', (data) => {
    process.stdout.write(`tcp ${data.toString()}\n`)
    socket.end()
    resolve()
  })
})
await new Promise<void>((resolve) => {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (data) => {
    process.stdout.write(`udp ${data.toString()}\n`)
    socket.close(resolve)
  })
  socket.send(text, Number(port), address)
})
