import type { Question } from '../../contract/question.ts';
import type { Directories } from '../../platform/files/directories.ts';
import type { ClientOptions } from '../request/client-options.ts';
import type { ClientEvent } from '../request/events.ts';
import type { LocalService } from '../request/service-port.ts';

/** Answers questions in this process from releases on a static host, by reading ranges of their files. */
export interface PublishedPort {
  /** Returns whether the address has a pointer to a release; null if that cannot be determined. */
  isPublished(settings: PublishedSettings): Promise<boolean | null>;
  openPublishedService(settings: PublishedSettings): PublishedService;
}

export interface PublishedSettings {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Public key by which the pointer must be signed, as `fin data keygen` prints it; null if no signature is required.
   */
  readonly publicKey: string | null;
  readonly directories: Directories;
  readonly options: Partial<ClientOptions>;
  /** Environment variables for proxies, certificates and limits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export interface PublishedService {
  readonly service: LocalService;
  /** Estimates what an answer would load, without sending a request. */
  plan(question: Question): Promise<LoadPlan>;
}

export interface LoadPlan {
  readonly requests: number;
  /** Number of bytes to load from published files; null if not even the list of files is cached. */
  readonly bytes: number | null;
  /** Whether more bytes may be needed, which is known only after these bytes are loaded. */
  readonly mayNeedMore: boolean;
}

export interface HostFinding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly detail: string;
}
