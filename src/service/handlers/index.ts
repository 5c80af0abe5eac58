/** The handler of each operation. */
import type { OperationId } from '../../contract/operations.ts';
import type { Handler } from '../handler.ts';
import { profile } from './companies/profile.ts';
import { search } from './companies/search.ts';
import { day } from './filings/day.ts';
import { filing } from './filings/filing.ts';
import { filings } from './filings/filings.ts';
import { holders } from './holders/holders.ts';
import { manager } from './holders/manager.ts';
import { managers } from './holders/managers.ts';
import { insiderActivity, insiders } from './insiders/insiders.ts';
import { catalog } from './metrics/catalog.ts';
import { lineage } from './metrics/lineage.ts';
import { metrics } from './metrics/metrics.ts';
import { rawConcepts } from './metrics/raw-concepts.ts';
import { revisions } from './metrics/revisions.ts';
import { prices } from './prices/prices.ts';
import { release } from './release.ts';
import { screen } from './screen/screen.ts';
import { segments } from './segments.ts';

export const HANDLERS: { readonly [Id in OperationId]: Handler<Id> } = {
  search,
  profile,
  metrics,
  catalog,
  lineage,
  revisions,
  'raw-concepts': rawConcepts,
  filings,
  day,
  filing,
  'insider-activity': insiderActivity,
  insiders,
  holders,
  managers,
  manager,
  segments,
  prices,
  screen,
  release,
};
