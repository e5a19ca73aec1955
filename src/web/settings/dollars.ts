import { useFormatter } from 'use-intl';

/** Gives an amount as a person reads it: cents, and two digits of what is smaller. */
export function useDollars(): (amount: number) => string {
  const { number } = useFormatter();
  return (amount) =>
    number(amount, {
      style: 'currency',
      currency: 'USD',
      ...(amount > 0 && amount < 0.995 && { maximumSignificantDigits: 2 }),
    });
}
