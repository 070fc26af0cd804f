/** The company of most tests, and the day it is there. */
export const TODAY = '2026-11-20';

export const testCompany = {
  company: 'Testbolaget AB',
  organizationNumber: '5567026934',
  fiscalYear: { year: 2026, start: '2026-01-01', end: '2026-12-31' },
  owner: null,
};
