/**
 * `node ssh-server.ts FOLDER SCRIPT`: an ssh server for one connection on standard input and output, as a ProxyCommand of
 * ssh_config(5) starts it. dropbear needs a connected socket. The folder has the keys, and the
 * script runs the command of the connection.
 */
import { spawn } from 'node:child_process'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

const [folder = '.', script = ''] = process.argv.slice(2)

const server = createServer({ pauseOnConnect: true }, (socket) => {
  server.close()
  const argv = [
    '-i',
    '-e',
    '-E',
    '-r',
    join(folder, 'host-key'),
    '-D',
    folder,
    '-P',
    join(folder, 'pid'),
    '-c',
    `sh ${script}`,
  ]
  spawn('dropbear', argv, { stdio: [socket, 'ignore', 'inherit'] })
  // The server has it now.
  socket.destroy()
})

function isPlace(address: AddressInfo | string | null): address is AddressInfo {
  return address !== null && typeof address === 'object'
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (!isPlace(address)) throw new Error('the server has no port')
  const near = connect(address.port, '127.0.0.1')
  process.stdin.pipe(near)
  near.pipe(process.stdout)
  near.once('close', () => process.exit())
})
