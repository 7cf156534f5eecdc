/** A small lab of two variants that has everything a lab may have. */
export const good = `---
title: Requests over \${name}
question: Is it faster?
summary: A lab for tests.
families:
  - \${variant}
minutes: 5
needs:
  - big-tcp-\${variant}
variants:
  ipv4: { name: IPv4, peer: 10.0.0.2 }
  ipv6: { name: IPv6, peer: 'fd00::2' }
order: 3
feature: big-tcp
arms:
  - id: off
    label: Without it
    settings:
      big-tcp-\${variant}: false
  - id: on
    label: With it
    settings:
      big-tcp-\${variant}: true
---
## Why \${name}? {#why}

About **\${name}**.

- one
- two

\`\`\`text
not a command
\`\`\`

## Preflight {#preflight}

Is everything here?

\`\`\`yaml action
kind: preflight
label: Run preflight
\`\`\`

\`\`\`sh netns On this machine
ip netns exec pod1 ping \${peer}
echo $\${x} "$1" $(id -u)
\`\`\`

\`\`\`sh kubernetes On a cluster
kubectl get pods
\`\`\`

> Follow the remedy,
> then run it again.

\`\`\`yaml talk
minutes: 1.5
pause: 12
\`\`\`

\`\`\`notes
- Say \${peer}.
- Wait.
\`\`\`
`
