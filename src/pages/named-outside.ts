/** What other systems call the things of a register, as a field that few have use for. */
import { say } from '../lib/language.ts';
import { field } from './fields.ts';
import type { FormInput } from './visit.ts';

/** What another system calls what the form is of. */
export const namedOutside = (input: FormInput, known: string | null | undefined) => ({
  externalId: field(input, 'externalId', say`Kallas i andra system`, {
    maxLength: 255,
    value: known ?? '',
    help: say`Det som en butik, ett kassasystem eller en annan koppling kallar den (externalId i API:et). Tomt när ingen gör det.`,
  }),
});
