import type { Question } from '../../contract/question/question.ts';
import type { Directories } from '../../platform/directories.ts';
import type { ClientEvent } from '../events.ts';
import type { LocalService } from '../local-client.ts';
import type { ClientOptions } from '../options.ts';

/** Published releases on a static host, answered in this process by ranges of their files. */
export interface HostedPort {
  /** Whether the address has a pointer to a release; null where that cannot be found out. */
  isPublished(settings: HostedSettings): Promise<boolean | null>;
  openHosted(settings: HostedSettings): OpenedHosted;
}

/** Tests static hosts. */
export interface HostPort {
  /** Tests what the host must be able to do. Throws a Failure where it cannot be asked at all. */
  examineHost(settings: HostedSettings): Promise<readonly HostFinding[]>;
}

export interface HostedSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The key that must have signed the pointer, as `fin data keygen` prints it; null where none is required. */
  readonly publicKey: string | null;
  readonly directories: Directories;
  readonly options: Partial<ClientOptions>;
  /** For proxies, certificates and bounds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export interface OpenedHosted {
  readonly service: LocalService;
  /** What an answer would load, estimated without a request. */
  plan(question: Question): Promise<LoadPlan>;
}

export interface LoadPlan {
  readonly requests: number;
  /** Of published files; null where not even their list is cached. */
  readonly bytes: number | null;
  /** Whether more may follow, which depends on what these bring. */
  readonly more: boolean;
}

export interface HostFinding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly detail: string;
}
