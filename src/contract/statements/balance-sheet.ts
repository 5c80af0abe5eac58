/** The lines of the balance sheet, in the order of printed statements. */
import type { Lines } from './line.ts';

export const BALANCE_SHEET = {
  cash_and_equivalents: {
    label: 'Cash and equivalents',
    total: 'current_assets',
    description: 'Cash and cash equivalents.',
  },
  restricted_cash: {
    label: 'Restricted cash',
    total: 'current_assets',
    description: 'Cash in current assets that is reserved for a purpose.',
  },
  short_term_investments: {
    label: 'Short-term investments',
    total: 'current_assets',
    description: 'Securities and other investments that are current assets.',
  },
  receivables: {
    label: 'Receivables',
    total: 'current_assets',
    description: 'Amounts due from customers within a year, less an allowance for customers that may not pay.',
  },
  unbilled_receivables: {
    label: 'Unbilled receivables',
    total: 'current_assets',
    description: 'Amounts earned from customers but not yet billed.',
  },
  other_receivables: {
    label: 'Other receivables',
    total: 'current_assets',
    description: 'Amounts due within a year that are not from customers, such as taxes to be refunded.',
  },
  inventories: {
    label: 'Inventories',
    total: 'current_assets',
    description: 'Goods held for sale, goods in production, and materials.',
  },
  prepaid_expenses: {
    label: 'Prepaid expenses',
    total: 'current_assets',
    description: 'Amounts paid for goods and services to be received within a year; often with other current assets.',
  },
  held_for_sale: {
    label: 'Assets held for sale',
    total: 'current_assets',
    description: 'Assets of businesses to be sold within a year.',
  },
  reported_other_current_assets: {
    label: 'Other current assets, as reported',
    total: 'current_assets',
    description: 'Current assets on a line named other current assets.',
  },
  other_current_assets: { label: 'Other current assets', remainder: { of: 'current_assets', isAboveZero: true } },
  current_assets: {
    label: 'Current assets',
    subtotal: true,
    total: 'assets',
    description: 'Cash, and assets expected to be turned into cash, sold or used within a year.',
  },
  securities_available_for_sale: {
    label: 'Securities available for sale',
    total: 'assets',
    description: 'Debt securities that a bank or an insurer may sell, at fair value.',
  },
  securities_held_to_maturity: {
    label: 'Securities held to maturity',
    total: 'assets',
    description: 'Debt securities that will be held until they are repaid.',
  },
  equity_securities: {
    label: 'Equity securities',
    total: 'assets',
    description: 'Shares of other companies, at fair value.',
  },
  interest_bearing_deposits_in_banks: {
    label: 'Deposits in other banks',
    total: 'assets',
    description: 'Interest-bearing deposits of a bank in other banks.',
  },
  federal_funds_sold: {
    label: 'Federal funds sold',
    total: 'assets',
    description: 'Overnight loans to other banks, and securities bought under agreements to resell.',
  },
  long_term_investments: {
    label: 'Long-term investments',
    total: 'assets',
    description: 'Securities and other investments that are not current assets.',
  },
  equity_method_investments: {
    label: 'Equity-method investments',
    total: 'assets',
    description: 'Investments in companies accounted for by the equity method.',
  },
  investments: { label: 'Total investments', description: 'All investments of an insurer.' },
  loans_held_for_sale: {
    label: 'Loans held for sale',
    total: 'assets',
    description: 'Loans that a bank intends to sell.',
  },
  loans_before_allowance: {
    label: 'Loans before allowance',
    total: 'loans',
    description: 'Loans and leases of a bank before the allowance for credit losses.',
  },
  loan_allowance: {
    label: 'Allowance for credit losses',
    total: 'loans',
    sign: '-',
    description: 'Part of the loans that a bank does not expect to be repaid.',
  },
  loans: {
    label: 'Loans',
    total: 'assets',
    description: 'Loans and leases of a bank, less the allowance for credit losses.',
  },
  accrued_interest_receivable: {
    label: 'Accrued interest receivable',
    total: 'assets',
    description: 'Interest earned but not yet received.',
  },
  bank_owned_life_insurance: {
    label: 'Life insurance owned',
    total: 'assets',
    description: 'Cash value of life insurance policies that the company owns.',
  },
  premiums_receivable: {
    label: 'Premiums receivable',
    total: 'assets',
    description: 'Premiums due from policyholders.',
  },
  reinsurance_recoverables: {
    label: 'Reinsurance recoverables',
    total: 'assets',
    description: 'Amounts due from reinsurers.',
  },
  deferred_acquisition_costs: {
    label: 'Deferred acquisition costs',
    total: 'assets',
    description: 'Cost of selling insurance that is not yet recognized as an expense.',
  },
  separate_account_assets: {
    label: 'Separate account assets',
    total: 'assets',
    description: 'Assets that an insurer holds for policyholders.',
  },
  property_gross: {
    label: 'Property before depreciation',
    total: 'property_plant_and_equipment',
    description: 'Land, buildings and equipment at cost.',
  },
  accumulated_depreciation: {
    label: 'Accumulated depreciation',
    total: 'property_plant_and_equipment',
    sign: '-',
    description: 'Depreciation of property, plant and equipment up to the day.',
  },
  property_plant_and_equipment: {
    label: 'Property, plant and equipment',
    total: 'assets',
    description: 'Land, buildings and equipment, less depreciation.',
  },
  real_estate_gross: {
    label: 'Real estate before depreciation',
    total: 'real_estate',
    description: 'Rented real estate at cost.',
  },
  real_estate_depreciation: {
    label: 'Depreciation of real estate',
    total: 'real_estate',
    sign: '-',
    description: 'Depreciation of rented real estate up to the day.',
  },
  real_estate: { label: 'Real estate', total: 'assets', description: 'Rented real estate, less depreciation.' },
  operating_lease_assets: {
    label: 'Operating lease assets',
    total: 'assets',
    description: 'Rights to use leased assets under operating leases; under IFRS, under all leases.',
  },
  deferred_tax_assets: {
    label: 'Deferred tax assets',
    total: 'assets',
    description: 'Expected reductions of future taxes, without the portion in current assets.',
  },
  goodwill: {
    label: 'Goodwill',
    total: 'assets',
    description: 'Price paid for acquired businesses above the value of their net assets.',
  },
  finite_lived_intangibles: {
    label: 'Amortized intangible assets',
    total: 'intangible_assets',
    description: 'Intangible assets with a limited life, less amortization.',
  },
  indefinite_lived_intangibles: {
    label: 'Unamortized intangible assets',
    total: 'intangible_assets',
    description: 'Intangible assets without a limited life.',
  },
  intangible_assets: {
    label: 'Intangible assets',
    total: 'assets',
    description: 'Intangible assets without goodwill, less amortization.',
    whenNotReported: {
      kind: 'sum',
      plus: ['finite_lived_intangibles', 'indefinite_lived_intangibles'],
      sameFilings: true,
    },
  },
  restricted_cash_noncurrent: {
    label: 'Restricted cash, noncurrent',
    total: 'assets',
    description: 'Cash that is reserved for a purpose for more than a year.',
  },
  regulatory_assets: {
    label: 'Regulatory assets',
    total: 'assets',
    description: 'Costs that a utility may recover from its customers later.',
  },
  pension_assets: {
    label: 'Pension assets',
    total: 'assets',
    description: 'Pension plans with more assets than obligations.',
  },
  reported_other_assets: {
    label: 'Other assets, as reported',
    total: 'assets',
    description: 'Assets on a line named other assets.',
  },
  other_noncurrent_assets: {
    label: 'Other noncurrent assets',
    remainder: { of: 'assets', minus: ['current_assets'], isAboveZero: true },
  },
  other_assets: { label: 'Other assets', remainder: { of: 'assets', unless: 'current_assets', isAboveZero: true } },
  assets: {
    label: 'Total assets',
    subtotal: true,
    section: 'Assets',
    description: 'All assets, current and noncurrent.',
  },
  payables: {
    label: 'Accounts payable',
    total: 'current_liabilities',
    description: 'Amounts due to suppliers within a year.',
  },
  accrued_compensation: {
    label: 'Accrued compensation',
    total: 'current_liabilities',
    description: 'Pay and benefits of employees, owed but not yet paid.',
  },
  accrued_taxes: { label: 'Taxes payable', total: 'current_liabilities', description: 'Taxes due within a year.' },
  accrued_interest: {
    label: 'Interest payable',
    total: 'current_liabilities',
    description: 'Interest owed but not yet paid.',
  },
  accrued_liabilities: {
    label: 'Accrued liabilities',
    total: 'current_liabilities',
    description: 'Expenses owed within a year but not yet billed or paid.',
  },
  deferred_revenue: {
    label: 'Deferred revenue',
    total: 'current_liabilities',
    description: 'Amounts paid by customers for goods and services to be delivered within a year.',
  },
  dividends_payable: {
    label: 'Dividends payable',
    total: 'current_liabilities',
    description: 'Dividends declared but not yet paid.',
  },
  short_term_borrowings: {
    label: 'Short-term borrowings',
    total: 'short_term_debt',
    description: 'Borrowings due within a year, without the current portion of long-term debt.',
  },
  current_portion_of_debt: {
    label: 'Current portion of long-term debt',
    total: 'short_term_debt',
    description: 'Long-term debt due within a year.',
    whenNotReported: {
      kind: 'sum',
      plus: ['long_term_debt_with_current'],
      minus: ['long_term_debt'],
      sameFilings: true,
    },
  },
  short_term_debt: {
    label: 'Short-term debt',
    total: 'current_liabilities',
    description: 'Borrowings due within a year, including the current portion of long-term debt.',
    whenNotReported: { kind: 'sum', plus: ['current_portion_of_debt'], plusIfReported: ['short_term_borrowings'] },
  },
  operating_lease_liabilities_current: {
    label: 'Operating lease liabilities, current',
    total: 'current_liabilities',
    description: 'Amounts due for operating leases within a year.',
  },
  finance_lease_liabilities_current: {
    label: 'Finance lease liabilities, current',
    total: 'current_liabilities',
    description: 'Amounts due for finance leases within a year.',
  },
  reported_other_current_liabilities: {
    label: 'Other current liabilities, as reported',
    total: 'current_liabilities',
    description: 'Current liabilities on a line named other current or accrued liabilities.',
  },
  other_current_liabilities: {
    label: 'Other current liabilities',
    remainder: { of: 'current_liabilities', isAboveZero: true },
  },
  current_liabilities: {
    label: 'Current liabilities',
    subtotal: true,
    total: 'liabilities',
    description: 'Liabilities due within a year.',
  },
  noninterest_bearing_deposits: {
    label: 'Deposits without interest',
    total: 'deposits',
    description: 'Deposits of customers that bear no interest.',
  },
  interest_bearing_deposits: {
    label: 'Deposits with interest',
    total: 'deposits',
    description: 'Deposits of customers that bear interest.',
  },
  deposits: { label: 'Deposits', total: 'liabilities', description: 'Deposits of customers with a bank.' },
  repurchase_agreements: {
    label: 'Securities sold to be repurchased',
    total: 'liabilities',
    description: 'Short-term borrowings of a bank against securities, and federal funds bought.',
  },
  home_loan_bank_advances: {
    label: 'Federal Home Loan Bank advances',
    total: 'liabilities',
    description: 'Borrowings of a bank from the Federal Home Loan Banks.',
  },
  subordinated_debt: {
    label: 'Subordinated debt',
    total: 'liabilities',
    description: 'Debt that is repaid after other debt.',
  },
  loss_reserves: {
    label: 'Loss reserves',
    total: 'liabilities',
    description: 'Claims on an insurer that are not yet paid.',
  },
  future_policy_benefits: {
    label: 'Future policy benefits',
    total: 'liabilities',
    description: 'Benefits that an insurer expects to pay later.',
  },
  unearned_premiums: {
    label: 'Unearned premiums',
    total: 'liabilities',
    description: 'Premiums received by an insurer for time that has not passed.',
  },
  separate_account_liabilities: {
    label: 'Separate account liabilities',
    total: 'liabilities',
    description: 'Amounts that an insurer owes to policyholders of separate accounts.',
  },
  long_term_debt: {
    label: 'Long-term debt',
    total: 'liabilities',
    description:
      'Borrowings without the portion due within a year; all borrowings if the balance sheet has no current liabilities.',
    whenNotReported: { kind: 'sum', plus: ['noncurrent_bonds', 'noncurrent_loans'], sameFilings: true },
  },
  operating_lease_liabilities: {
    label: 'Operating lease liabilities',
    total: 'liabilities',
    description: 'Amounts due for operating leases after a year; under IFRS, for all leases.',
  },
  finance_lease_liabilities: {
    label: 'Finance lease liabilities',
    total: 'liabilities',
    description: 'Amounts due for finance leases after a year.',
  },
  deferred_tax_liabilities: {
    label: 'Deferred tax liabilities',
    total: 'liabilities',
    description: 'Taxes recognized as an expense before they are paid, without the portion in current liabilities.',
  },
  pension_liabilities: {
    label: 'Pension liabilities',
    total: 'liabilities',
    description: 'Pension plans with more obligations than assets.',
  },
  deferred_revenue_noncurrent: {
    label: 'Deferred revenue, noncurrent',
    total: 'liabilities',
    description: 'Amounts paid by customers for goods and services to be delivered after a year.',
  },
  asset_retirement_obligations: {
    label: 'Asset retirement obligations',
    total: 'liabilities',
    description: 'Expected cost of removing assets at the end of their use.',
  },
  regulatory_liabilities: {
    label: 'Regulatory liabilities',
    total: 'liabilities',
    description: 'Amounts that a utility owes to its customers.',
  },
  uncertain_tax_liabilities: {
    label: 'Uncertain tax positions',
    total: 'liabilities',
    description: 'Taxes that may become due after a year.',
  },
  reported_other_liabilities: {
    label: 'Other liabilities, as reported',
    total: 'liabilities',
    description: 'Liabilities on a line named other liabilities.',
  },
  other_noncurrent_liabilities: {
    label: 'Other noncurrent liabilities',
    remainder: { of: 'liabilities', minus: ['current_liabilities'], isAboveZero: true },
  },
  other_liabilities: {
    label: 'Other liabilities',
    remainder: { of: 'liabilities', unless: 'current_liabilities', isAboveZero: true },
  },
  liabilities: {
    label: 'Total liabilities',
    subtotal: true,
    section: 'Liabilities',
    description: 'All liabilities, current and noncurrent.',
    whenNotReported: {
      kind: 'sum',
      plus: ['assets'],
      minus: [['total_equity', 'stockholders_equity']],
      minusIfReported: ['temporary_equity'],
      sameFilings: true,
    },
  },
  temporary_equity: {
    label: 'Temporary equity',
    description: 'Redeemable shares and interests, which are neither liabilities nor equity.',
  },
  preferred_stock: {
    label: 'Preferred stock',
    total: 'stockholders_equity',
    description: 'Preferred stock in equity.',
  },
  common_stock: { label: 'Common stock', total: 'stockholders_equity', description: 'Par value of common stock.' },
  paid_in_capital: {
    label: 'Paid-in capital',
    total: 'stockholders_equity',
    description: 'Amounts paid by shareholders above the par value of their shares.',
  },
  retained_earnings: {
    label: 'Retained earnings',
    total: 'stockholders_equity',
    description: 'Profits kept in the company; an accumulated deficit is negative.',
  },
  treasury_stock: {
    label: 'Treasury stock',
    total: 'stockholders_equity',
    sign: '-',
    description: 'Cost of own shares that the company holds; it reduces equity.',
  },
  accumulated_other_comprehensive_income: {
    label: 'Accumulated other comprehensive income',
    total: 'stockholders_equity',
    description:
      'Accumulated gains and losses that are not part of net income, for example from currencies and hedges.',
  },
  other_equity: { label: "Other stockholders' equity", remainder: { of: 'stockholders_equity' } },
  stockholders_equity: {
    label: "Stockholders' equity",
    subtotal: true,
    total: 'total_equity',
    description: "Equity of the company's own shareholders, without noncontrolling interests.",
    whenNotReported: { kind: 'sum', plus: ['total_equity'], minus: ['noncontrolling_interests'], sameFilings: true },
  },
  noncontrolling_interests: {
    label: 'Noncontrolling interests',
    total: 'total_equity',
    description: 'Equity in subsidiaries that belongs to owners other than the company.',
  },
  total_equity: {
    label: 'Total equity',
    subtotal: true,
    section: 'Equity',
    description: "Stockholders' equity and noncontrolling interests.",
  },
  working_capital: {
    label: 'Working capital',
    description: 'Current assets less current liabilities.',
    formula: { kind: 'sum', plus: ['current_assets'], minus: ['current_liabilities'], isAboveZero: true },
  },
  total_debt: {
    label: 'Total debt',
    description: 'Short-term and long-term debt.',
    formula: {
      kind: 'sum',
      plus: ['long_term_debt', 'short_term_debt'],
      plusIfReported: ['noncurrent_debt_to_related_parties'],
    },
  },
  net_debt: {
    label: 'Net debt',
    description: 'Total debt less cash, equivalents and short-term investments.',
    formula: {
      kind: 'sum',
      plus: ['total_debt'],
      minus: ['cash_and_equivalents'],
      minusIfReported: ['short_term_investments'],
    },
  },
} as const satisfies Lines;
