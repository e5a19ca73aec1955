/** The text of a drawing, for what draws something onto it. */
declare module '*.svg?raw' {
  const text: string;
  export default text;
}
