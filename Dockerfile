FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /portal
COPY package.json package-lock.json ./
COPY patches ./patches
RUN npm ci
COPY . .
# build/sbom.cdx.json lists the production packages (CycloneDX).
RUN npm run build && npm run sbom && rm build/metafile.* build/*.map && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# This and the limits of the heap below are those of `npm start` (docs/operations.md, Memory).
ENV MALLOC_ARENA_MAX=2
WORKDIR /portal
COPY --from=build --chown=root:root /portal/package.json ./
COPY --from=build --chown=root:root /portal/node_modules ./node_modules
COPY --from=build --chown=root:root /portal/config ./config
COPY --from=build --chown=root:root /portal/policies ./policies
COPY --from=build --chown=root:root /portal/evidence ./evidence
COPY --from=build --chown=root:root /portal/public ./public
COPY --from=build --chown=root:root /portal/build ./build
# `docker exec CONTAINER portal COMMAND` is the command line for operators.
RUN chmod 755 build/portal.js && ln -s /portal/build/portal.js /usr/local/bin/portal \
  && mkdir /data /status && chown node:node /data /status && du -sh /portal
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "-c", "portal setup && exec node --max-semi-space-size=4 --max-old-space-size=1024 build/index.js"]
