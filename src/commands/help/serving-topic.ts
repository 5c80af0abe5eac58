/** `fin help serving`: how to run the service for other users, with a systemd unit and a container file as examples. */

const SYSTEMD_UNIT = `[Unit]
Description=Financial filings over HTTP
Wants=network-online.target
After=network-online.target

[Service]
User=fin
StateDirectory=fin
Environment=FIN_DATA_DIR=/var/lib/fin FIN_STATE_DIR=/var/lib/fin/state
Environment=FIN_CONFIG_DIR=/var/lib/fin/config FIN_CACHE_DIR=/var/lib/fin/cache
ExecStart=/usr/bin/env fin serve --public-url https://filings.example
SuccessExitStatus=143
Restart=on-failure
RestartPreventExitStatus=2
TimeoutStopSec=15
NoNewPrivileges=yes
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=strict

[Install]
WantedBy=multi-user.target`;

const CONTAINER_FILE = `FROM docker.io/library/node:22-slim
COPY fin-filings-*.tgz /tmp/
RUN npm install --global /tmp/fin-filings-*.tgz && rm /tmp/fin-filings-*.tgz
RUN mkdir /data && chown node:node /data
ENV FIN_DATA_DIR=/data FIN_STATE_DIR=/data/state
ENV FIN_CONFIG_DIR=/data/config FIN_CACHE_DIR=/data/cache
USER node
VOLUME /data
EXPOSE 8346
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8346/livez').then(({ ok }) => { if (!ok) throw 'not live'; })"
ENTRYPOINT ["fin"]
CMD ["serve", "--host", "0.0.0.0"]`;

export const SERVING_TOPIC = {
  title: 'Serving',
  intro: 'To run "fin serve" for other machines, put it behind a proxy with TLS, or use --tls-cert.',
  lines: [
    ['port', '8346, or --port; if the port is in use, fin serve ends with exit code 2'],
    ['keys', 'fin keys create --account <name>, run as the user of the service and with its directories'],
    [
      'releases',
      'fin data fetch and fin data build, run as the user of the service; a new release is served without a restart',
    ],
    ['/livez', 'answers 200 while the process runs; needs no key'],
    [
      '/readyz',
      'answers 200 with the stamp of the served release; 503 without a release, or while stopping; needs no key',
    ],
    ['/openapi.json', 'the HTTP API as an OpenAPI 3.1 document; needs no key'],
    ['/problems', 'the page to which error responses link; describes the types of errors; needs no key'],
    ['SIGTERM', 'finishes requests in progress, within 11 seconds; exit code 143'],
    ['several replicas', 'share their limits through the Redis server in FIN_REDIS_URL'],
  ],
  files: [
    { name: '/etc/systemd/system/fin.service (the user fin, and fin on the PATH of systemd)', text: SYSTEMD_UNIT },
    { name: 'Containerfile (in the directory with the .tgz file made by "npm pack")', text: CONTAINER_FILE },
  ],
} as const;
