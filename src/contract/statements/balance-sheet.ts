/** The lines of the balance sheet, in the order of printed statements. */
import { defineStatement, type LineEntries, partsOf } from './line.ts';

export const BALANCE_SHEET = defineStatement({
  ...partsOf('current_assets', {
    cash_and_equivalents: { description: 'Cash and cash equivalents.' },
    restricted_cash: { isOftenInNotes: true, description: 'Cash in current assets that is reserved for a purpose.' },
    short_term_investments: {
      label: 'Short-term investments',
      description: 'Securities and other investments that are current assets.',
    },
    receivables: {
      description: 'Amounts due from customers within a year, less an allowance for customers that may not pay.',
    },
    unbilled_receivables: { description: 'Amounts earned from customers but not yet billed.' },
    other_receivables: {
      isOftenInNotes: true,
      description: 'Amounts due within a year that are not from customers, such as taxes to be refunded.',
    },
    inventories: { description: 'Goods held for sale, goods in production, and materials.' },
    prepaid_expenses: {
      description: 'Amounts paid for goods and services to be received within a year; often with other current assets.',
    },
    held_for_sale: { label: 'Assets held for sale', description: 'Assets of businesses to be sold within a year.' },
    reported_other_current_assets: {
      label: 'Other current assets, as reported',
      description: 'Current assets on a line named other current assets.',
    },
  } as const satisfies LineEntries),
  other_current_assets: { remainder: { of: 'current_assets', isAboveZero: true } },
  ...partsOf('assets', {
    current_assets: {
      subtotal: true,
      description: 'Cash, and assets expected to be turned into cash, sold or used within a year.',
    },
    securities_available_for_sale: {
      description: 'Debt securities that a bank or an insurer may sell, at fair value.',
    },
    securities_held_to_maturity: { description: 'Debt securities that will be held until they are repaid.' },
    equity_securities: { description: 'Shares of other companies, at fair value.' },
    interest_bearing_deposits_in_banks: {
      label: 'Deposits in other banks',
      description: 'Interest-bearing deposits of a bank in other banks.',
    },
    federal_funds_sold: {
      description: 'Overnight loans to other banks, and securities bought under agreements to resell.',
    },
    long_term_investments: {
      label: 'Long-term investments',
      description: 'Securities and other investments that are not current assets.',
    },
    equity_method_investments: {
      label: 'Equity-method investments',
      description: 'Investments in companies accounted for by the equity method.',
    },
  } as const satisfies LineEntries),
  investments: { label: 'Total investments', description: 'All investments of an insurer.' },
  ...partsOf('assets', {
    loans_held_for_sale: { description: 'Loans that a bank intends to sell.' },
    ...partsOf('loans', {
      loans_before_allowance: { description: 'Loans and leases of a bank before the allowance for credit losses.' },
      loan_allowance: {
        label: 'Allowance for credit losses',
        sign: '-',
        description: 'Part of the loans that a bank does not expect to be repaid.',
      },
    } as const satisfies LineEntries),
    loans: { description: 'Loans and leases of a bank, less the allowance for credit losses.' },
    accrued_interest_receivable: { description: 'Interest earned but not yet received.' },
    bank_owned_life_insurance: {
      label: 'Life insurance owned',
      description: 'Cash value of life insurance policies that the company owns.',
    },
    premiums_receivable: { description: 'Premiums due from policyholders.' },
    reinsurance_recoverables: { description: 'Amounts due from reinsurers.' },
    deferred_acquisition_costs: { description: 'Cost of selling insurance that is not yet recognized as an expense.' },
    separate_account_assets: { description: 'Assets that an insurer holds for policyholders.' },
    ...partsOf('property_plant_and_equipment', {
      property_gross: { label: 'Property before depreciation', description: 'Land, buildings and equipment at cost.' },
      accumulated_depreciation: {
        sign: '-',
        description: 'Depreciation of property, plant and equipment up to the day.',
      },
    } as const satisfies LineEntries),
    property_plant_and_equipment: {
      label: 'Property, plant and equipment',
      description: 'Land, buildings and equipment, less depreciation.',
    },
    ...partsOf('real_estate', {
      real_estate_gross: {
        label: 'Real estate before depreciation',
        description: 'Real estate held to rent to others, at cost.',
      },
      real_estate_depreciation: {
        label: 'Depreciation of real estate',
        sign: '-',
        description: 'Depreciation of real estate held to rent to others, up to the day.',
      },
    } as const satisfies LineEntries),
    real_estate: { description: 'Real estate held to rent to others, less depreciation.' },
    operating_lease_assets: {
      isOftenInNotes: true,
      description: 'Rights to use leased assets under operating leases; under IFRS, under all leases.',
    },
    deferred_tax_assets: {
      isOftenInNotes: true,
      description: 'Expected reductions of future taxes, without the portion in current assets.',
    },
    goodwill: { description: 'Price paid for acquired businesses above the value of their net assets.' },
    ...partsOf('intangible_assets', {
      finite_lived_intangibles: {
        label: 'Amortized intangible assets',
        description: 'Intangible assets with a limited life, less amortization.',
      },
      indefinite_lived_intangibles: {
        label: 'Unamortized intangible assets',
        description: 'Intangible assets without a limited life.',
      },
    } as const satisfies LineEntries),
    intangible_assets: {
      isOftenInNotes: true,
      description: 'Intangible assets without goodwill, less amortization.',
      whenNotReported: {
        kind: 'sum',
        plus: ['finite_lived_intangibles', 'indefinite_lived_intangibles'],
        sameFilings: true,
      },
    },
    restricted_cash_noncurrent: {
      label: 'Restricted cash, noncurrent',
      isOftenInNotes: true,
      description: 'Cash that is reserved for a purpose for more than a year.',
    },
    regulatory_assets: { description: 'Costs that a utility may recover from its customers later.' },
    pension_assets: { isOftenInNotes: true, description: 'Pension plans with more assets than obligations.' },
    reported_other_assets: { label: 'Other assets, as reported', description: 'Assets on a line named other assets.' },
  } as const satisfies LineEntries),
  other_noncurrent_assets: { remainder: { of: 'assets', minus: ['current_assets'], isAboveZero: true } },
  other_assets: { remainder: { of: 'assets', unless: 'current_assets', isAboveZero: true } },
  assets: {
    label: 'Total assets',
    subtotal: true,
    section: 'Assets',
    description: 'All assets, current and noncurrent.',
  },
  ...partsOf('current_liabilities', {
    payables: { label: 'Accounts payable', description: 'Amounts due to suppliers within a year.' },
    accrued_compensation: {
      isOftenInNotes: true,
      mayBeIn: 'accrued_liabilities',
      description: 'Pay and benefits of employees, owed but not yet paid.',
    },
    accrued_taxes: {
      label: 'Taxes payable',
      isOftenInNotes: true,
      mayBeIn: 'accrued_liabilities',
      description: 'Taxes due within a year.',
    },
    accrued_interest: {
      label: 'Interest payable',
      isOftenInNotes: true,
      mayBeIn: 'accrued_liabilities',
      description: 'Interest owed but not yet paid.',
    },
    accrued_liabilities: { description: 'Expenses owed within a year but not yet billed or paid.' },
    deferred_revenue: {
      description: 'Amounts paid by customers for goods and services to be delivered within a year.',
    },
    dividends_payable: {
      isOftenInNotes: true,
      mayBeIn: 'accrued_liabilities',
      description: 'Dividends declared but not yet paid.',
    },
    ...partsOf('short_term_debt', {
      short_term_borrowings: {
        label: 'Short-term borrowings',
        description: 'Borrowings due within a year, without the current portion of long-term debt.',
      },
      current_portion_of_debt: {
        label: 'Current portion of long-term debt',
        description: 'Long-term debt due within a year.',
        whenNotReported: {
          kind: 'sum',
          plus: ['long_term_debt_with_current'],
          minus: ['long_term_debt'],
          sameFilings: true,
        },
      },
    } as const satisfies LineEntries),
    short_term_debt: {
      label: 'Short-term debt',
      description: 'Borrowings due within a year, including the current portion of long-term debt.',
      whenNotReported: { kind: 'sum', plus: ['current_portion_of_debt'], plusIfReported: ['short_term_borrowings'] },
    },
    operating_lease_liabilities_current: {
      label: 'Operating lease liabilities, current',
      isOftenInNotes: true,
      description: 'Amounts due for operating leases within a year.',
    },
    finance_lease_liabilities_current: {
      label: 'Finance lease liabilities, current',
      isOftenInNotes: true,
      description: 'Amounts due for finance leases within a year.',
    },
    reported_other_current_liabilities: {
      label: 'Other current liabilities, as reported',
      description: 'Current liabilities on a line named other current or accrued liabilities.',
    },
  } as const satisfies LineEntries),
  other_current_liabilities: { remainder: { of: 'current_liabilities', isAboveZero: true } },
  ...partsOf('liabilities', {
    current_liabilities: { subtotal: true, description: 'Liabilities due within a year.' },
    ...partsOf('deposits', {
      noninterest_bearing_deposits: {
        label: 'Deposits without interest',
        description: 'Deposits of customers that bear no interest.',
      },
      interest_bearing_deposits: {
        label: 'Deposits with interest',
        description: 'Deposits of customers that bear interest.',
      },
    } as const satisfies LineEntries),
    deposits: { description: 'Deposits of customers with a bank.' },
    repurchase_agreements: {
      label: 'Securities sold to be repurchased',
      description: 'Short-term borrowings of a bank against securities, and federal funds bought.',
    },
    home_loan_bank_advances: {
      label: 'Federal Home Loan Bank advances',
      description: 'Borrowings of a bank from the Federal Home Loan Banks.',
    },
    subordinated_debt: { description: 'Debt that is repaid after other debt.' },
    loss_reserves: { description: 'Claims on an insurer that are not yet paid.' },
    future_policy_benefits: { description: 'Benefits that an insurer expects to pay later.' },
    unearned_premiums: { description: 'Premiums received by an insurer for time that has not passed.' },
    separate_account_liabilities: {
      description: 'Amounts that an insurer owes to policyholders of separate accounts.',
    },
    long_term_debt: {
      label: 'Long-term debt',
      description:
        'Borrowings without the portion due within a year; all borrowings if the balance sheet has no current liabilities.',
      whenNotReported: { kind: 'sum', plus: ['noncurrent_bonds', 'noncurrent_loans'], sameFilings: true },
    },
    operating_lease_liabilities: {
      isOftenInNotes: true,
      description: 'Amounts due for operating leases after a year; under IFRS, for all leases.',
    },
    finance_lease_liabilities: { isOftenInNotes: true, description: 'Amounts due for finance leases after a year.' },
    deferred_tax_liabilities: {
      isOftenInNotes: true,
      description: 'Taxes recognized as an expense before they are paid, without the portion in current liabilities.',
    },
    pension_liabilities: { isOftenInNotes: true, description: 'Pension plans with more obligations than assets.' },
    deferred_revenue_noncurrent: {
      label: 'Deferred revenue, noncurrent',
      description: 'Amounts paid by customers for goods and services to be delivered after a year.',
    },
    asset_retirement_obligations: {
      isOftenInNotes: true,
      description: 'Expected cost of removing assets at the end of their use.',
    },
    regulatory_liabilities: { description: 'Amounts that a utility owes to its customers.' },
    uncertain_tax_liabilities: {
      label: 'Uncertain tax positions',
      isOftenInNotes: true,
      description: 'Taxes that may become due after a year.',
    },
    reported_other_liabilities: {
      label: 'Other liabilities, as reported',
      description: 'Liabilities on a line named other liabilities.',
    },
  } as const satisfies LineEntries),
  other_noncurrent_liabilities: { remainder: { of: 'liabilities', minus: ['current_liabilities'], isAboveZero: true } },
  other_liabilities: { remainder: { of: 'liabilities', unless: 'current_liabilities', isAboveZero: true } },
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
  temporary_equity: { description: 'Redeemable shares and interests, which are neither liabilities nor equity.' },
  ...partsOf('stockholders_equity', {
    preferred_stock: { description: 'Preferred stock in equity.' },
    common_stock: { description: 'Par value of common stock.' },
    paid_in_capital: {
      label: 'Paid-in capital',
      description: 'Amounts paid by shareholders above the par value of their shares.',
    },
    retained_earnings: { description: 'Profits kept in the company; an accumulated deficit is negative.' },
    treasury_stock: { sign: '-', description: 'Cost of own shares that the company holds; it reduces equity.' },
    accumulated_other_comprehensive_income: {
      description:
        'Accumulated gains and losses that are not part of net income, for example from currencies and hedges.',
    },
  } as const satisfies LineEntries),
  other_equity: { label: "Other stockholders' equity", remainder: { of: 'stockholders_equity' } },
  ...partsOf('total_equity', {
    stockholders_equity: {
      label: "Stockholders' equity",
      subtotal: true,
      description: "Equity of the company's own shareholders, without noncontrolling interests.",
      whenNotReported: { kind: 'sum', plus: ['total_equity'], minus: ['noncontrolling_interests'], sameFilings: true },
    },
    noncontrolling_interests: { description: 'Equity in subsidiaries that belongs to owners other than the company.' },
  } as const satisfies LineEntries),
  total_equity: {
    subtotal: true,
    section: 'Equity',
    description: "Stockholders' equity and noncontrolling interests.",
  },
  working_capital: {
    description: 'Current assets less current liabilities.',
    formula: { kind: 'sum', plus: ['current_assets'], minus: ['current_liabilities'], isAboveZero: true },
  },
  total_debt: {
    description: 'Short-term and long-term debt.',
    formula: {
      kind: 'sum',
      plus: ['long_term_debt', 'short_term_debt'],
      plusIfReported: ['noncurrent_debt_to_related_parties'],
    },
  },
  net_debt: {
    description: 'Total debt less cash, equivalents and short-term investments.',
    formula: {
      kind: 'sum',
      plus: ['total_debt'],
      minus: ['cash_and_equivalents'],
      minusIfReported: ['short_term_investments'],
    },
  },
  cet1_ratio: {
    label: 'CET1 ratio',
    measure: 'fraction',
    description: 'Common equity tier 1 capital of a bank, as a share of its risk-weighted assets; as tagged.',
  },
} as const satisfies LineEntries);
