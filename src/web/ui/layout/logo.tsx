import type { ReactElement } from 'react';

/** Two cherries. */
export function Logo({ className = 'size-6' }: { className?: string }): ReactElement {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <path
        d="M11 19C12 11 16 6 24 4M21.5 19C21 12 21 8 24 4"
        fill="none"
        stroke="#4f7a3a"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="10" cy="22" r="6.5" fill="#c01f45" />
      <circle cx="22" cy="22.5" r="6.5" fill="#a3143a" />
      <circle cx="8" cy="20" r="1.6" fill="#fff" opacity=".55" />
    </svg>
  );
}
