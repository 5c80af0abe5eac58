/** `fin help serving`: how to run the service for others, with a systemd unit and a container file as examples. */

const UNIT = `[Unit]
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

const CONTAINER = `FROM docker.io/library/node:22-slim
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

export const SERVING = {
  title: 'Serving',
  intro: 'Run "fin serve" for others: behind a proxy that speaks TLS, or with --tls-cert.',
  lines: [
    ['port', '8346 unless --port is given; where it is taken, fin serve ends with 2'],
    ['keys', 'fin keys create --account <name>, as the user and with the directories of the service'],
    ['releases', 'fin data fetch and fin data build, as that user; a new release is served without a restart'],
    ['/livez', '200 while the process answers; without a key'],
    ['/readyz', '200 with the release that is served; 503 while there is none, and while stopping; without a key'],
    ['/openapi.json', 'the interface as an OpenAPI 3.1 document; without a key'],
    ['/problems', 'what the types of problems lead to; without a key'],
    ['SIGTERM', 'requests under way are finished, within 11 seconds; it ends with 143'],
    ['several replicas', 'share their limits in the Redis that FIN_REDIS_URL names'],
  ],
  files: [
    { name: '/etc/systemd/system/fin.service (the user fin, and fin on the PATH of systemd)', text: UNIT },
    { name: 'Containerfile (beside the package that npm pack makes)', text: CONTAINER },
  ],
} as const;
