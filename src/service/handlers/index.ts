import type { OperationId } from '../../contract/operations.ts';
import type { Handler } from '../request/handler.ts';
import { handleProfile } from './companies/profile.ts';
import { handleSearch } from './companies/search.ts';
import { handleDay } from './filings/day.ts';
import { handleFiling } from './filings/filing.ts';
import { handleFilings } from './filings/filings.ts';
import { handleHolders } from './holders/holders.ts';
import { handleManager } from './holders/manager.ts';
import { handleManagers } from './holders/managers.ts';
import { handleInsiderActivity, handleInsiders } from './insiders/insiders.ts';
import { toReleaseResource } from './meta.ts';
import { handleCatalog } from './metrics/catalog.ts';
import { handleLineage } from './metrics/lineage.ts';
import { handleMetrics } from './metrics/metrics.ts';
import { handleRawConcepts } from './metrics/raw-concepts.ts';
import { handleRevisions } from './metrics/revisions.ts';
import { handlePrices } from './prices/prices.ts';
import { handleScreen } from './screen/screen.ts';
import { handleSegments } from './segments.ts';

export const HANDLERS: { readonly [Id in OperationId]: Handler<Id> } = {
  search: handleSearch,
  profile: handleProfile,
  metrics: handleMetrics,
  catalog: handleCatalog,
  lineage: handleLineage,
  revisions: handleRevisions,
  'raw-concepts': handleRawConcepts,
  filings: handleFilings,
  day: handleDay,
  filing: handleFiling,
  'insider-activity': handleInsiderActivity,
  insiders: handleInsiders,
  holders: handleHolders,
  managers: handleManagers,
  manager: handleManager,
  segments: handleSegments,
  prices: handlePrices,
  screen: handleScreen,
  release: async ({ release }) => ({ data: toReleaseResource(release.manifest) }),
};
