/** What can stand in the name of a model as it is. */
const slugPattern = /^[a-z0-9][a-z0-9._-]{0,49}$/;
const maxSlugChars = 40;
/** The slug of the demo model. */
export const demoSlug = 'demo';

interface Named {
  name: string;
  slug: string;
}

/**
 * What the models of a new provider are named by. A name that is a slug stays one, and one that another provider has
 * (shared, from the environment, found) takes its place; any other name gets a slug that nobody has. Pure.
 */
export function slugFor(
  { name, kind }: { name: string; kind: string },
  own: readonly Named[],
  others: readonly Named[],
): string {
  const isSlug = slugPattern.test(name);
  const replaced = others.find((entry) => entry.name === name)?.slug;
  const wanted = isSlug ? name : (replaced ?? (toSlug(name) || kind));
  const besides = isSlug || replaced ? own : [...own, ...others];
  const taken = new Set([demoSlug, ...besides.map(({ slug }) => slug)]);
  let slug = wanted;
  for (let n = 2; taken.has(slug); n += 1) slug = `${wanted.slice(0, maxSlugChars)}-${n}`;
  return slug;
}

/** Empty where no letter of the name can stand in a slug. */
function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .slice(0, maxSlugChars)
    .replace(/^[-.]+|[-.]+$/g, '');
}
