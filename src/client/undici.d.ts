/** The parts of undici that are loaded by themselves: the whole of it costs four times as much to start. */
interface Dispatcher {
  close(): Promise<void>;
  destroy(): Promise<void>;
}

interface ConnectOptions {
  readonly timeout?: number;
  readonly ca?: readonly string[];
}

type Connector = (
  asked: object,
  done: (error: Error | null, socket: import('node:net').Socket | null) => void,
) => import('node:net').Socket;

interface AgentOptions {
  readonly connections?: number;
  readonly connect?: ConnectOptions | Connector;
  readonly requestTls?: ConnectOptions;
  readonly proxyTls?: ConnectOptions;
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
  readonly keepAliveTimeout?: number;
  readonly maxResponseSize?: number;
}

declare module 'undici/lib/dispatcher/agent.js' {
  const Agent: new (options: AgentOptions) => Dispatcher;
  export default Agent;
}

declare module 'undici/lib/dispatcher/pool.js' {
  const Pool: new (origin: URL, options: { readonly connect: Connector }) => Dispatcher;
  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  const buildConnector: (options: ConnectOptions) => Connector;

  export type { Connector };
  export default buildConnector;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  const EnvHttpProxyAgent: new (
    options: AgentOptions & {
      readonly httpProxy: string;
      readonly httpsProxy: string;
      readonly noProxy: string;
      /** Makes what connects to the proxy itself. */
      readonly clientFactory: (origin: URL, options: { readonly connect: Connector }) => Dispatcher;
    },
  ) => Dispatcher;
  export default EnvHttpProxyAgent;
}

declare module 'undici/lib/api/api-request.js' {
  interface Asked {
    readonly origin: string;
    readonly path: string;
    readonly method: 'GET';
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }
  interface Answered {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: AsyncIterable<Uint8Array> & { dump(): Promise<void> };
  }
  const request: (this: Dispatcher, asked: Asked) => Promise<Answered>;
  export default request;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  const Dispatcher: { readonly prototype: object };
  export default Dispatcher;
}

declare module 'undici/lib/api/api-connect.js' {
  const connect: (this: Dispatcher, ...rest: readonly unknown[]) => unknown;
  export default connect;
}
