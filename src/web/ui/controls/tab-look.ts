/** How a tab of the servers page looks. */
export const tabLook =
  'rounded-md px-2 py-1.5 sm:px-2.5 text-sm text-muted hover:text-ink data-[active]:bg-hover data-[active]:text-ink pointer-coarse:min-h-11';
