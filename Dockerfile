# Builds with BuildKit (Docker 23 and newer use it by default). A private registry's configuration
# goes in as a secret and stays out of the image: docker build --secret id=npmrc,src=$HOME/.npmrc .

# debian:trixie-slim of 2026-09-18, all architectures, as docker-library/repo-info lists it. On a machine that reaches no Docker
# registry: --build-arg BASE=NAME, for an image that is there.
ARG BASE=debian:trixie-slim@sha256:a99cfc517144bc59b1978475ec53b46ecabec7e43635402ee5b77cc54cd1b20a

FROM ${BASE} AS build
# Debian's own Node only fetches pnpm, which brings the Node that everything else runs on.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates nodejs npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
# The site is in the image if it was built before.
RUN mkdir -p site
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
  --mount=type=cache,target=/root/.local/share/pnpm/store \
  node scripts/run.mjs build \
  && cp node_modules/node-linux-*/bin/node /usr/local/bin/node \
  && /usr/local/bin/node server/dist/headless.js --list >/dev/null # keeps the parsed labs: the root filesystem is read-only later

FROM ${BASE} AS programs
# netperf is in Debian's non-free; bash and util-linux are part of every Debian. kmod and xz-utils pack the counted machine.
RUN sed -i 's/^Components: main$/Components: main non-free/' /etc/apt/sources.list.d/debian.sources \
  && apt-get update \
  && apt-get install --yes --no-install-recommends bpftool curl iperf3 iproute2 ipset iptables iputils-ping ipvsadm kmod ldnsutils \
    netperf nftables qemu-system-x86 tayga tcpdump unbound wireguard-tools xz-utils \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app

FROM programs AS counted
COPY --from=build /app/package.json ./
COPY --from=build /app/scripts scripts
COPY --from=build /app/server/native server/native
# Other processors than x64 have no counted machine. More kernels, for batches: --build-arg KERNELS="RELEASE RELEASE".
ARG KERNELS=
RUN mkdir -p .cache/counted && node scripts/counted/main.mjs prepare \
  && if [ -n "$KERNELS" ]; then node scripts/counted/main.mjs kernel $KERNELS; fi

FROM programs
RUN useradd --uid 10001 --create-home expresslane \
  && install --directory --owner=expresslane --mode=0700 /data
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/scripts/docker-entrypoint /app/scripts/fewer-rights scripts/
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/server/native/bin server/native/bin
COPY --from=build /app/server/src/store/migrations server/src/store/migrations
COPY --from=build /app/manifests manifests
COPY --from=build /app/recordings recordings
COPY --from=build /app/labs labs
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/site site
COPY --from=counted /app/.cache/counted .cache/counted
# The testbed needs no root: it makes a user namespace in which it is.
USER expresslane
# A log has this command in place of the link, which holds the token.
ENV NODE_ENV=production PORT=7070 EXPRESSLANE_CONTAINER=1 EXPRESSLANE_DATA=/data \
  EXPRESSLANE_LINK_COMMAND="docker exec CONTAINER node server/dist/data.js link"
VOLUME /data
EXPOSE 7070
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["scripts/docker-entrypoint"]
