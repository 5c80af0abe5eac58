/** Ages beyond which prices and reports are outdated. The service applies them, and the client explains them. */

/**
 * Maximum age in days of a price from which price figures are computed, counted from the date of the release, or from
 * the day of a past screen. A rule of fin's own service.
 */
export const MAX_PRICE_AGE_DAYS = 180;

/** Maximum number of days between two annual reports of a company that files on time: fifteen months. */
export const MAX_DAYS_BETWEEN_ANNUAL_REPORTS = 457;
