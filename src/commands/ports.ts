/**
 * Interfaces to code that commands must not import, such as the service. `src/wiring` implements each port in a
 * separate file, loaded on first use; `cli.ts` passes the ports to commands. Types that both sides share, such as
 * `BuildReport`, are in `contract/release-work.ts`.
 */

import type { LocalServicePort } from '../client/local-service.ts';
import type { HostExaminer, PublishedPort } from '../client/published/port.ts';
import type { AnalyticsPort } from './ports/analytics.ts';
import type { AssistantsPort } from './ports/assistants.ts';
import type { BuildPort } from './ports/build.ts';
import type { CheckPort } from './ports/check.ts';
import type { FetchPort } from './ports/fetch.ts';
import type { KeysPort } from './ports/keys.ts';
import type { PublishingPort } from './ports/publishing.ts';
import type { ReleasesPort, TickersPort } from './ports/releases.ts';
import type { ServerStarter } from './ports/server.ts';

export interface Ports {
  readonly localService: () => Promise<LocalServicePort>;
  readonly published: () => Promise<PublishedPort>;
  readonly host: () => Promise<HostExaminer>;
  readonly tickers: () => Promise<TickersPort>;
  readonly releases: () => Promise<ReleasesPort>;
  readonly check: () => Promise<CheckPort>;
  readonly build: () => Promise<BuildPort>;
  readonly analytics: () => Promise<AnalyticsPort>;
  readonly fetch: () => Promise<FetchPort>;
  readonly publishing: () => Promise<PublishingPort>;
  readonly server: () => Promise<ServerStarter>;
  readonly keys: () => Promise<KeysPort>;
  readonly assistants: () => Promise<AssistantsPort>;
}
