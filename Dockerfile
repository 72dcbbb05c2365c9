# One recipe for every service and for the stand-ins (tools/sandbox):
#   docker build --build-arg SERVICE=cases --tag casewatch/cases:dev .
# All of them at once: npm run images. It needs nothing of BuildKit's, so that every builder can follow it.

# The tag is for one machine, with or without a registry. CI and releases give the digest of deploy/images.Dockerfile.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app
ENV NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_FUND=false NPM_CONFIG_AUDIT=false

# The package.json of every workspace, wherever it is: a change of source code does not change this stage's result.
# Without devDependencies, because npm's --omit=dev keeps those that are workspaces of the same repository.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name 'package*.json' ! -name .npmrc -delete && find . -type d -empty -delete \
 && npm pkg delete devDependencies --workspaces --include-workspace-root

# Every package into npm's cache, once for all services.
FROM base AS packages
COPY --from=manifests /app ./
RUN npm ci --omit=dev --omit=optional --loglevel=error && rm -rf node_modules

# What one service needs in production: its packages, and links to the workspaces among them.
FROM packages AS dependencies
ARG SERVICE
RUN test -n "$SERVICE" || { echo 'Say which one: --build-arg SERVICE=cases'; exit 1; }
RUN npm ci --omit=dev --omit=optional --workspace="@casewatch/$SERVICE" --offline --loglevel=error \
 && for folder in libs/* services/* tools/*; do \
      test "node_modules/@casewatch/$(basename "$folder")" -ef "$folder" || rm -rf "$folder"; \
    done \
 && rm package-lock.json .npmrc \
 && ln -s "$(realpath --relative-to=. "node_modules/@casewatch/$SERVICE")" service

# The source code of those workspaces; Node runs it as it is.
FROM dependencies AS source
COPY . /src
RUN mkdir /out \
 && for folder in libs/* services/* tools/*; do \
      test ! -d "/src/$folder/src" || { mkdir -p "/out/$folder" && cp -R "/src/$folder/src" "/out/$folder/"; }; \
    done

FROM base
# Node runs the service; package managers would only serve an intruder.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* \
 && rm -f /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
# Production is what an image is for; the demo says so where it is something else (compose, the demo overlay).
ENV NODE_ENV=production PORT=8080
COPY --from=dependencies /app ./
COPY --from=source /out ./
ARG SERVICE
ARG REVISION=unknown
LABEL org.opencontainers.image.title="casewatch/$SERVICE" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
# Where the stand-ins and the demo keep what they remember; a volume there begins as this folder is.
RUN mkdir /data .compiled && chown 10001:10001 /data .compiled
USER 10001:10001
# What Node makes of the sources when it first loads them; with it a pod starts with a third less work. It is the user's own.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN test ! -f service/src/service.ts \
 || node --input-type=module --eval "await import('/app/service/src/service.ts')"
EXPOSE 8080
# Node itself is process 1 and gets the signals. `service` leads to the service's own folder.
CMD ["node", "service/src/main.ts"]
