/** Printing what nobody waits for: later than everything else, and for as long as it takes. */
import { AppError } from '../../lib/errors.ts';

/** Each of them waits its own time (`printPdf`). */
const attempts = 15;

/**
 * Asks again for a page that was not printed in time, for five minutes; what was asked for is being made
 * meanwhile, also by a worker that comes back. `tellLate` is told each time.
 */
export const patientPrinting =
  (
    print: (html: string) => Promise<Buffer>,
    tellLate: () => Promise<void> = async () => undefined,
  ) =>
  async (html: string): Promise<Buffer> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await print(html);
      } catch (error) {
        const isLate = error instanceof AppError && error.code === 'processing_delayed';
        if (!isLate || attempt === attempts) throw error;
        await tellLate();
      }
    }
  };
