# One image for every part: `http`, `worker …`, `migrate` and all other commands (see docker-compose.yml).
FROM node:24-slim
ENV NODE_ENV=production
# Debian's Chromium prints PDFs on both amd64 and arm64; the one that comes through npm is for amd64 alone.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .
# A volume mounted here belongs to the user below.
RUN mkdir /backups /bank-inbox .runtime && chown node:node /backups /bank-inbox .runtime
USER node
# Once for every container.
RUN node src/process/bootstrap.mjs --compile
EXPOSE 3000
ENTRYPOINT ["node", "src/process/bootstrap.mjs"]
CMD ["http"]
