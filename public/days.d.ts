export function dayOf(typed: string, today: string | null): string | null;
