/** The next round number (1, 2 or 5 with noughts) that is not below the highest value. */
export function axisTop(highest: number): number {
  if (!(highest > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((one) => one * power >= highest) ?? 10;
  return step * power;
}
