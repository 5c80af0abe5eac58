import type { Question } from '../../contract/question/question.ts';
import type { Directories } from '../../platform/directories.ts';
import type { ClientEvent } from '../events.ts';
import type { LocalService } from '../local-client.ts';
import type { ClientOptions } from '../options.ts';

/** Answers questions in this process from releases on a static host, by ranges of their files. */
export interface PublishedPort {
  /** Whether the address has a pointer to a release; null if that cannot be determined. */
  isPublished(settings: PublishedSettings): Promise<boolean | null>;
  openPublished(settings: PublishedSettings): PublishedService;
}

/** Tests static hosts. */
export interface HostPort {
  /** Tests the required abilities of the host. Throws a Failure if it cannot be reached. */
  examineHost(settings: PublishedSettings): Promise<readonly HostFinding[]>;
}

export interface PublishedSettings {
  /** Address without a trailing slash. */
  readonly baseUrl: string;
  /** The key that must have signed the pointer, as `fin data keygen` prints it; null if none is required. */
  readonly publicKey: string | null;
  readonly directories: Directories;
  readonly options: Partial<ClientOptions>;
  /** For proxies, certificates and bounds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export interface PublishedService {
  readonly service: LocalService;
  /** Estimates what an answer would load, without a request. */
  plan(question: Question): Promise<LoadPlan>;
}

export interface LoadPlan {
  readonly requests: number;
  /** Number of bytes of published files; null if not even their list is cached. */
  readonly bytes: number | null;
  /** Whether more may follow, depending on the content of these. */
  readonly more: boolean;
}

export interface HostFinding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly detail: string;
}
