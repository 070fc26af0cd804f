/** What a person sees when everything answers. */

import { db, type Pool } from '../db/pool.ts';
import { findCompanyName } from '../installation/setup/store.ts';
import { createSetupToken, firstVisitAddress } from '../installation/setup/token.ts';
import { chartSentence, listChartFaults } from '../ledger/accounts/completeness.ts';
import { programName } from '../lib/program-name.ts';

const wayOut = `Lägg till dem under Kontoplan, eller: ${programName} account complete`;

/** Over a connection of the owner's. */
export async function greet(address: string, owner: Pool): Promise<readonly string[]> {
  const company = await findCompanyName(db(owner));
  const token = await createSetupToken(owner);
  const fault = chartSentence(await listChartFaults(db(owner)));
  const firstVisit =
    token === undefined ? [] : [`  Kom igång        ${firstVisitAddress(address, token)}`];
  const next =
    company !== undefined
      ? [
          `  Företag          ${company}`,
          ...firstVisit,
          `  Ny nyckel        ${programName} key create --name Butiken --scope intake:write`,
        ]
      : [
          ...firstVisit,
          `  Utan webbläsare  ${programName} setup --company "Mitt Bolag AB" --org-number 556036-0793`,
          `  Eller prova      ${programName} demo`,
        ];
  return [
    '',
    `  Huvudbok         ${address}`,
    `  API-dokument     ${address}/docs`,
    ...next,
    '  Stoppa           Ctrl-C',
    '',
    ...(fault === undefined ? [] : [fault, wayOut, '']),
  ];
}
