/** E-invoices of which each node is changed in every way there is. */
import { testMutations } from '../unit/peppol-mutation.ts';

testMutations(400, () => true);
