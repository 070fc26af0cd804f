/** Looks at CHROMIUM_PATH without loading what drives the browser. */
import { access, constants } from 'node:fs/promises';
import { OperatorError } from '../lib/operator-error.ts';

/** Refuses a CHROMIUM_PATH that no program is at, before the first page waits for it. */
export async function checkChromium(configured: string | undefined): Promise<void> {
  if (configured === undefined) return;
  await access(configured, constants.X_OK).catch((cause) => {
    throw new OperatorError(
      `CHROMIUM_PATH: ${configured} kan inte köras (${cause.code}). Rätta sökvägen, eller ta bort inställningen, så letas en Chromium upp.`,
      { cause },
    );
  });
}
