/** The lines of the balance sheet, in the order of printed statements. */
import { sum, sumOfSameFilings } from './formula.ts';
import { defineStatement, less, line, lineOrNote, partsOf, remainder, subtotal } from './line.ts';

export const BALANCE_SHEET = defineStatement({
  ...partsOf('current_assets', {
    cash_and_equivalents: line('Cash and cash equivalents.'),
    restricted_cash: lineOrNote('Cash in current assets that is reserved for a purpose.'),
    short_term_investments: line('Securities and other investments that are current assets.', {
      label: 'Short-term investments',
    }),
    receivables: line('Amounts due from customers within a year, less an allowance for customers that may not pay.'),
    unbilled_receivables: line('Amounts earned from customers but not yet billed.'),
    other_receivables: lineOrNote(
      'Amounts due within a year that are not from customers, such as taxes to be refunded.',
    ),
    inventories: line('Goods held for sale, goods in production, and materials.'),
    prepaid_expenses: line(
      'Amounts paid for goods and services to be received within a year; often with other current assets.',
    ),
    held_for_sale: line('Assets of businesses to be sold within a year.', { label: 'Assets held for sale' }),
    reported_other_current_assets: line('Current assets on a line named other current assets.', {
      label: 'Other current assets, as reported',
    }),
  }),
  other_current_assets: remainder('current_assets', { isAboveZero: true }),
  ...partsOf('assets', {
    current_assets: subtotal('Cash, and assets expected to be turned into cash, sold or used within a year.'),
    securities_available_for_sale: line('Debt securities that a bank or an insurer may sell, at fair value.'),
    securities_held_to_maturity: line('Debt securities that will be held until they are repaid.'),
    equity_securities: line('Shares of other companies, at fair value.'),
    interest_bearing_deposits_in_banks: line('Interest-bearing deposits of a bank in other banks.', {
      label: 'Deposits in other banks',
    }),
    federal_funds_sold: line('Overnight loans to other banks, and securities bought under agreements to resell.'),
    long_term_investments: line('Securities and other investments that are not current assets.', {
      label: 'Long-term investments',
    }),
    equity_method_investments: line('Investments in companies accounted for by the equity method.', {
      label: 'Equity-method investments',
    }),
  }),
  investments: line('All investments of an insurer.', { label: 'Total investments' }),
  ...partsOf('assets', {
    loans_held_for_sale: line('Loans that a bank intends to sell.'),
    ...partsOf('loans', {
      loans_before_allowance: line('Loans and leases of a bank before the allowance for credit losses.'),
      loan_allowance: less('Part of the loans that a bank does not expect to be repaid.', {
        label: 'Allowance for credit losses',
      }),
    }),
    loans: line('Loans and leases of a bank, less the allowance for credit losses.'),
    accrued_interest_receivable: line('Interest earned but not yet received.'),
    bank_owned_life_insurance: line('Cash value of life insurance policies that the company owns.', {
      label: 'Life insurance owned',
    }),
    premiums_receivable: line('Premiums due from policyholders.'),
    reinsurance_recoverables: line('Amounts due from reinsurers.'),
    deferred_acquisition_costs: line('Cost of selling insurance that is not yet recognized as an expense.'),
    separate_account_assets: line('Assets that an insurer holds for policyholders.'),
    ...partsOf('property_plant_and_equipment', {
      property_gross: line('Land, buildings and equipment at cost.', { label: 'Property before depreciation' }),
      accumulated_depreciation: less('Depreciation of property, plant and equipment up to the day.'),
    }),
    property_plant_and_equipment: line('Land, buildings and equipment, less depreciation.', {
      label: 'Property, plant and equipment',
    }),
    ...partsOf('real_estate', {
      real_estate_gross: line('Real estate held to rent to others, at cost.', {
        label: 'Real estate before depreciation',
      }),
      real_estate_depreciation: less('Depreciation of real estate held to rent to others, up to the day.', {
        label: 'Depreciation of real estate',
      }),
    }),
    real_estate: line('Real estate held to rent to others, less depreciation.'),
    operating_lease_assets: lineOrNote(
      'Rights to use leased assets under operating leases; under IFRS, under all leases.',
    ),
    deferred_tax_assets: lineOrNote('Expected reductions of future taxes, without the portion in current assets.'),
    goodwill: line('Price paid for acquired businesses above the value of their net assets.'),
    ...partsOf('intangible_assets', {
      finite_lived_intangibles: line('Intangible assets with a limited life, less amortization.', {
        label: 'Amortized intangible assets',
      }),
      indefinite_lived_intangibles: line('Intangible assets without a limited life.', {
        label: 'Unamortized intangible assets',
      }),
    }),
    intangible_assets: lineOrNote('Intangible assets without goodwill, less amortization.', {
      whenNotReported: sumOfSameFilings(['finite_lived_intangibles', 'indefinite_lived_intangibles']),
    }),
    restricted_cash_noncurrent: lineOrNote('Cash that is reserved for a purpose for more than a year.', {
      label: 'Restricted cash, noncurrent',
    }),
    regulatory_assets: line('Costs that a utility may recover from its customers later.'),
    pension_assets: lineOrNote('Pension plans with more assets than obligations.'),
    reported_other_assets: line('Assets on a line named other assets.', { label: 'Other assets, as reported' }),
  }),
  other_noncurrent_assets: remainder('assets', { minus: ['current_assets'], isAboveZero: true }),
  other_assets: remainder('assets', { unless: 'current_assets', isAboveZero: true }),
  assets: subtotal('All assets, current and noncurrent.', { label: 'Total assets', section: 'Assets' }),
  ...partsOf('current_liabilities', {
    payables: line('Amounts due to suppliers within a year.', { label: 'Accounts payable' }),
    accrued_compensation: lineOrNote('Pay and benefits of employees, owed but not yet paid.', {
      mayBeIn: 'accrued_liabilities',
    }),
    accrued_taxes: lineOrNote('Taxes due within a year.', { label: 'Taxes payable', mayBeIn: 'accrued_liabilities' }),
    accrued_interest: lineOrNote('Interest owed but not yet paid.', {
      label: 'Interest payable',
      mayBeIn: 'accrued_liabilities',
    }),
    accrued_liabilities: line('Expenses owed within a year but not yet billed or paid.'),
    deferred_revenue: line('Amounts paid by customers for goods and services to be delivered within a year.'),
    dividends_payable: lineOrNote('Dividends declared but not yet paid.', { mayBeIn: 'accrued_liabilities' }),
    ...partsOf('short_term_debt', {
      short_term_borrowings: line('Borrowings due within a year, without the current portion of long-term debt.', {
        label: 'Short-term borrowings',
      }),
      current_portion_of_debt: line('Long-term debt due within a year.', {
        label: 'Current portion of long-term debt',
        whenNotReported: sumOfSameFilings(['long_term_debt_with_current'], { minus: ['long_term_debt'] }),
      }),
    }),
    short_term_debt: line('Borrowings due within a year, including the current portion of long-term debt.', {
      label: 'Short-term debt',
      whenNotReported: sum(['current_portion_of_debt'], { plusIfReported: ['short_term_borrowings'] }),
    }),
    operating_lease_liabilities_current: lineOrNote('Amounts due for operating leases within a year.', {
      label: 'Operating lease liabilities, current',
    }),
    finance_lease_liabilities_current: lineOrNote('Amounts due for finance leases within a year.', {
      label: 'Finance lease liabilities, current',
    }),
    reported_other_current_liabilities: line(
      'Current liabilities on a line named other current or accrued liabilities.',
      { label: 'Other current liabilities, as reported' },
    ),
  }),
  other_current_liabilities: remainder('current_liabilities', { isAboveZero: true }),
  ...partsOf('liabilities', {
    current_liabilities: subtotal('Liabilities due within a year.'),
    ...partsOf('deposits', {
      noninterest_bearing_deposits: line('Deposits of customers that bear no interest.', {
        label: 'Deposits without interest',
      }),
      interest_bearing_deposits: line('Deposits of customers that bear interest.', { label: 'Deposits with interest' }),
    }),
    deposits: line('Deposits of customers with a bank.'),
    repurchase_agreements: line('Short-term borrowings of a bank against securities, and federal funds bought.', {
      label: 'Securities sold to be repurchased',
    }),
    home_loan_bank_advances: line('Borrowings of a bank from the Federal Home Loan Banks.', {
      label: 'Federal Home Loan Bank advances',
    }),
    subordinated_debt: line('Debt that is repaid after other debt.'),
    loss_reserves: line('Claims on an insurer that are not yet paid.'),
    future_policy_benefits: line('Benefits that an insurer expects to pay later.'),
    unearned_premiums: line('Premiums received by an insurer for time that has not passed.'),
    separate_account_liabilities: line('Amounts that an insurer owes to policyholders of separate accounts.'),
    long_term_debt: line(
      'Borrowings without the portion due within a year; all borrowings if the balance sheet has no current liabilities.',
      { label: 'Long-term debt', whenNotReported: sumOfSameFilings(['noncurrent_bonds', 'noncurrent_loans']) },
    ),
    operating_lease_liabilities: lineOrNote(
      'Amounts due for operating leases after a year; under IFRS, for all leases.',
    ),
    finance_lease_liabilities: lineOrNote('Amounts due for finance leases after a year.'),
    deferred_tax_liabilities: lineOrNote(
      'Taxes recognized as an expense before they are paid, without the portion in current liabilities.',
    ),
    pension_liabilities: lineOrNote('Pension plans with more obligations than assets.'),
    deferred_revenue_noncurrent: line(
      'Amounts paid by customers for goods and services to be delivered after a year.',
      { label: 'Deferred revenue, noncurrent' },
    ),
    asset_retirement_obligations: lineOrNote('Expected cost of removing assets at the end of their use.'),
    regulatory_liabilities: line('Amounts that a utility owes to its customers.'),
    uncertain_tax_liabilities: lineOrNote('Taxes that may become due after a year.', {
      label: 'Uncertain tax positions',
    }),
    reported_other_liabilities: line('Liabilities on a line named other liabilities.', {
      label: 'Other liabilities, as reported',
    }),
  }),
  other_noncurrent_liabilities: remainder('liabilities', { minus: ['current_liabilities'], isAboveZero: true }),
  other_liabilities: remainder('liabilities', { unless: 'current_liabilities', isAboveZero: true }),
  liabilities: subtotal('All liabilities, current and noncurrent.', {
    label: 'Total liabilities',
    section: 'Liabilities',
    whenNotReported: sumOfSameFilings(['assets'], {
      minus: [['total_equity', 'stockholders_equity']],
      minusIfReported: ['temporary_equity'],
    }),
  }),
  temporary_equity: line('Redeemable shares and interests, which are neither liabilities nor equity.'),
  ...partsOf('stockholders_equity', {
    preferred_stock: line('Preferred stock in equity.'),
    common_stock: line('Par value of common stock.'),
    paid_in_capital: line('Amounts paid by shareholders above the par value of their shares.', {
      label: 'Paid-in capital',
    }),
    retained_earnings: line('Profits kept in the company; an accumulated deficit is negative.'),
    treasury_stock: less('Cost of own shares that the company holds; it reduces equity.'),
    accumulated_other_comprehensive_income: line(
      'Accumulated gains and losses that are not part of net income, for example from currencies and hedges.',
    ),
  }),
  other_equity: { label: "Other stockholders' equity", ...remainder('stockholders_equity') },
  ...partsOf('total_equity', {
    stockholders_equity: subtotal("Equity of the company's own shareholders, without noncontrolling interests.", {
      label: "Stockholders' equity",
      whenNotReported: sumOfSameFilings(['total_equity'], { minus: ['noncontrolling_interests'] }),
    }),
    noncontrolling_interests: line('Equity in subsidiaries that belongs to owners other than the company.'),
  }),
  total_equity: subtotal("Stockholders' equity and noncontrolling interests.", { section: 'Equity' }),
  working_capital: line('Current assets less current liabilities.', {
    formula: sum(['current_assets'], { minus: ['current_liabilities'], isAboveZero: true }),
  }),
  total_debt: line('Short-term and long-term debt.', {
    formula: sum(['long_term_debt', 'short_term_debt'], { plusIfReported: ['noncurrent_debt_to_related_parties'] }),
  }),
  net_debt: line('Total debt less cash, equivalents and short-term investments.', {
    formula: sum(['total_debt'], { minus: ['cash_and_equivalents'], minusIfReported: ['short_term_investments'] }),
  }),
  cet1_ratio: line('Common equity tier 1 capital of a bank, as a share of its risk-weighted assets; as tagged.', {
    label: 'CET1 ratio',
    measure: 'fraction',
  }),
});
