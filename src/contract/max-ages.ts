/** Maximum ages of prices and reports. The service applies these rules, and messages of the client explain them. */

/**
 * Maximum age of a price from which price figures are computed, in days before the date of the release or before the
 * day of a past screen. A rule of fin, not of the HTTP API.
 */
export const MAX_PRICE_AGE_DAYS = 180;

/** Maximum number of days between two annual reports of a company that files on time: fifteen months. */
export const MAX_DAYS_BETWEEN_ANNUAL_REPORTS = 457;
