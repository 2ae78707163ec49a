# syntax=docker/dockerfile:1

# Makes the npm package: it needs none of the dependencies that build it.
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/prepare.mjs build && node scripts/package.mjs

# Installs it. The base brings Node along, so that the package's own copy of it is not needed.
FROM node:24-slim AS install
ENV NODE_COMPILE_CACHE=/app/cache PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
COPY --from=build /src/obelus-[0-9]*.tgz /tmp/obelus.tgz
RUN npm install --no-audit --no-fund /tmp/obelus.tgz && rm -rf node_modules/node-* && mkdir cache && chown node cache
# Compiled code is kept for each user by itself: as the one who is going to run it.
USER node
RUN OBELUS_DATA_DIR=/tmp/first timeout --preserve-status 20 obelus

# What runs needs no network, and writes nothing but its data.
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OBELUS_AUTH=1 OBELUS_DATA_DIR=/data \
  NODE_COMPILE_CACHE=/app/cache PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
RUN mkdir -m 700 /data && chown node:node /data
COPY --from=install /app ./
VOLUME /data
EXPOSE 3000
USER node
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "node_modules/obelus/dist/healthy.mjs"]
CMD ["obelus"]
