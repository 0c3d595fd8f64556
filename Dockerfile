# Two stages: packages are installed with npm, and run by a user without rights who can write to /data alone.
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/wikitext/package.json packages/wikitext/
COPY packages/markdown/package.json packages/markdown/
COPY packages/scribunto/package.json packages/scribunto/
# The image has a Node already; the one of the packages would take about 200 MB.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:26-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/home/node/.cache/compiled COPPICE_DATA=/data HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json package-lock.json ./
COPY bin bin
COPY packages packages
COPY src src
RUN mkdir /data /backups && chown node:node /data /backups
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(a => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which does not pass every signal on.
CMD ["bin/coppice", "serve"]
