# One image for every part: `http`, `worker …`, `migrate` and all other commands (see docker-compose.yml).
FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .
USER node
EXPOSE 3000
ENTRYPOINT ["node", "src/bootstrap.mjs"]
CMD ["http"]
