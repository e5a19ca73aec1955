interface Variable {
  name: string;
  /** Only the first characters are wanted. */
  length?: number;
}

/** What each operator of RFC 6570 puts before and between values, and whether with their names. */
const plain = { first: '', between: ',', named: false, raw: false };
const operators: Record<string, typeof plain> = {
  '': plain,
  '+': { first: '', between: ',', named: false, raw: true },
  '#': { first: '#', between: ',', named: false, raw: true },
  '.': { first: '.', between: '.', named: false, raw: false },
  '/': { first: '/', between: '/', named: false, raw: false },
  ';': { first: ';', between: ';', named: true, raw: false },
  '?': { first: '?', between: '&', named: true, raw: false },
  '&': { first: '&', between: '&', named: true, raw: false },
};

const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

/** The names of the variables of a URI template (RFC 6570), each once, in order. */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list = '']) =>
    readVariables(list).map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** The address a template gives with these values; a value that is absent or empty is left out. */
export function expandTemplate(template: string, values: Record<string, string>): string {
  return template.replaceAll(expression, (_, operator: string, list: string) => {
    const { first, between, named, raw } = operators[operator] ?? plain;
    const parts = readVariables(list).flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === '') return [];
      const text = escape(Array.from(value).slice(0, length).join(''), raw);
      return [named ? `${name}=${text}` : text];
    });
    return parts.length === 0 ? '' : first + parts.join(between);
  });
}

function readVariables(list: string): Variable[] {
  return list.split(',').flatMap((part): Variable[] => {
    const [, name, length] = /^\s*([^:*\s]+)(?::(\d{1,4}))?\*?\s*$/.exec(part) ?? [];
    if (name === undefined) return [];
    return [{ name, ...(length && { length: Number(length) }) }];
  });
}

/** Reserved characters stay where the operator says so; what is escaped already stays then too. */
function escape(value: string, raw: boolean): string {
  const text = value.toWellFormed();
  if (!raw) return encodeURIComponent(text).replaceAll(/[!'()*]/g, hex);
  return encodeURI(text)
    .replaceAll('%25', '%')
    .replaceAll(/%(?![0-9A-F]{2})/gi, '%25')
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']');
}

function hex(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}
