/** The agency's routes on the wire (contract 2.8). Frozen: fields are added, never changed. */
import { z } from 'zod';
import { monthConditions } from '../../domain/ledger/month-conditions.ts';
import { openEnum } from '../../http/schemas.ts';

const date = z.string().meta({ format: 'date' });
const count = z.int();

export const tokenSeconds = 3_600;

export const token = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(tokenSeconds).describe('Sekunder'),
    expires_at: z.int().describe('Unixtid i sekunder'),
    scopes: z.array(openEnum({ 'stats:read': 'Läser aggregatet' })),
    agency: z.string().describe('Byråns namn'),
  })
  .meta({
    id: 'AgencyToken',
    description: 'Gäller tills den går ut eller klienten drar in åtkomsten',
  });

export const aggregate = z
  .object({
    schema_version: z.int().describe('Svarets form, 1; sänks aldrig'),
    installation_schema_version: count.describe(
      'Numret på den senaste migreringen; sänks aldrig, 0 betyder okänt',
    ),
    period: z.string().meta({ example: '202603' }).describe('Månaden som pågår, ÅÅÅÅMM'),
    unbooked_count: count.describe(
      'Fakturautkast, leverantörsfakturor att ta ställning till och stoppade order',
    ),
    attachments_missing: count.describe('Verifikat som saknar underlag'),
    unmatched_bank: count.describe('Banktransaktioner utan verifikat'),
    last_verification: date.nullable().describe('Senaste verifikationsdatum; null utan verifikat'),
    period_locked_to: date.nullable(),
    vat_due_date: date.describe('Nästa dag då moms ska deklareras och betalas'),
    fiscal_year: z.object({ start: date, end: date, status: z.string() }),
    last_closed_month: date.nullable().describe('Månadens första dag'),
    open_month: date.nullable().describe('Första dagen i den månad som står på tur'),
    open_month_status: openEnum({
      in_progress: 'Något villkor återstår',
      ready: 'Inget hindrar att månaden kvitteras',
    }).nullable(),
    open_month_failing: z.array(openEnum(monthConditions)).describe('Villkoren som återstår'),
    months_behind: count.describe('Avslutade månader som inte är kvitterade'),
  })
  .meta({ id: 'AgencyAggregate', description: 'Läget i bokföringen nu' });
