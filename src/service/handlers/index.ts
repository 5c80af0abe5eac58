/** Who answers which operation. */
import type { OperationId } from '../../contract/operations.ts';
import type { Handler } from '../types.ts';
import { catalog } from './catalog.ts';
import { day } from './day.ts';
import { filing } from './filing.ts';
import { filings } from './filings.ts';
import { holders } from './holders.ts';
import { insiderActivity, insiders } from './insiders.ts';
import { lineage } from './lineage.ts';
import { manager } from './manager.ts';
import { managers } from './managers.ts';
import { metrics } from './metrics.ts';
import { prices } from './prices.ts';
import { profile } from './profile.ts';
import { rawConcepts } from './raw-concepts.ts';
import { release } from './release.ts';
import { revisions } from './revisions.ts';
import { screen } from './screen.ts';
import { search } from './search.ts';
import { segments } from './segments.ts';

export const HANDLERS: Readonly<Record<OperationId, Handler>> = {
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
