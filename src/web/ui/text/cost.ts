/** Dollars with as many digits as a small sum needs; an estimate is marked. */
export function formatCost(dollars: number, locale: string, isEstimated = false): string {
  const digits = dollars >= 1 || dollars === 0 ? 2 : 2 - Math.floor(Math.log10(dollars));
  const text = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: Math.min(10, digits),
  }).format(dollars);
  return isEstimated ? `≈${text}` : text;
}
