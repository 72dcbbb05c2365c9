# Builds every service, and the stand-ins (tools/sandbox):
#   docker build --build-arg SERVICE=cases --tag casewatch/cases:dev .
# To build all of them, run npm run images. No BuildKit features, so every builder can build it.

# The tag is enough on one machine. CI and releases pass the digest of deploy/images.Dockerfile.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app
ENV NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_FUND=false NPM_CONFIG_AUDIT=false

# Only package.json files: a change of source code does not invalidate this stage.
# Removes devDependencies, because npm's --omit=dev keeps workspaces of the same repository.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name 'package*.json' ! -name .npmrc -delete && find . -type d -empty -delete \
 && npm pkg delete devDependencies --workspaces --include-workspace-root

# Fills npm's cache once for all services.
FROM base AS packages
COPY --from=manifests /app ./
RUN npm ci --omit=dev --omit=optional --loglevel=error && rm -rf node_modules

# The production dependencies of one service, and links to its workspaces.
FROM packages AS dependencies
ARG SERVICE
RUN test -n "$SERVICE" || { echo 'Say which one: --build-arg SERVICE=cases'; exit 1; }
RUN npm ci --omit=dev --omit=optional --workspace="@casewatch/$SERVICE" --offline --loglevel=error \
 && for folder in libs/* services/* tools/*; do \
      test "node_modules/@casewatch/$(basename "$folder")" -ef "$folder" || rm -rf "$folder"; \
    done \
 && rm package-lock.json .npmrc \
 && ln -s "$(realpath --relative-to=. "node_modules/@casewatch/$SERVICE")" service

# The source code of these workspaces. Node runs TypeScript directly.
FROM dependencies AS source
COPY . /src
RUN mkdir /out \
 && for folder in libs/* services/* tools/*; do \
      test ! -d "/src/$folder/src" || { mkdir -p "/out/$folder" && cp -R "/src/$folder/src" "/out/$folder/"; }; \
    done \
 && case "$(basename "$(realpath service)")" in gateway|all) mkdir -p /out/docs && cp -R /src/docs/partners /out/docs/;; esac

FROM base
# Removes package managers: the service does not need them, an attacker could use them.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* \
 && rm -f /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
# The default. Compose and the demo overlay set another value.
ENV NODE_ENV=production PORT=8080
COPY --from=dependencies /app ./
COPY --from=source /out ./
ARG SERVICE
ARG NODE_IMAGE
ARG VERSION=dev
ARG REVISION=unknown
# Without `created`: the same sources give the same image.
LABEL org.opencontainers.image.title="casewatch/$SERVICE" \
      org.opencontainers.image.description="Casewatch: monitors USCIS immigration cases and notifies people" \
      org.opencontainers.image.vendor="Casewatch" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="$NODE_IMAGE" \
      org.opencontainers.image.licenses="Apache-2.0"
# State of the stand-ins and the demo. A new volume copies this folder.
RUN mkdir /data .compiled && chown 10001:10001 /data .compiled
USER 10001:10001
# Node's compile cache: a pod starts with a third less CPU. It belongs to the container's user.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN for program in service/src/service.ts service/src/start-all.ts; do \
      test ! -f "$program" || node --input-type=module --eval "await import('/app/$program')" || exit 1; \
    done
EXPOSE 8080
# Node is process 1 and receives the signals. `service` links to the service's folder. Short-lived objects take at most 12 MB
# (docs/adr/0008).
CMD ["node", "--max-semi-space-size=4", "service/src/main.ts"]
