# syntax=docker/dockerfile:1

# Builds once, here: what runs needs no network, and writes nothing but its data.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The base brings Node along, so that the project's own copy of it is not needed.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-* node_modules/.bin/node
COPY . .
RUN node scripts/prepare.mjs build && rm -rf .build/*/cache && chown -R node:node .build
# Compiled code is kept for each user by itself: as the one who is going to run it.
USER node
RUN node scripts/seal.mjs

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 OBELUS_AUTH=1 OBELUS_DATA_DIR=/data
WORKDIR /app
RUN mkdir -m 700 /data && chown node:node /data
COPY --from=build /app ./
VOLUME /data
EXPOSE 3000
USER node
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "scripts/healthy.mjs"]
CMD ["node", "scripts/serve.mjs"]
