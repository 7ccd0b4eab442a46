/** A shield with a keyhole. */
export function Logo() {
  return (
    <svg
      viewBox="0 0 28 28"
      width="28"
      height="28"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      aria-hidden="true"
    >
      <path d="M14 2.5 24.5 6v8.5c0 5.6-4.3 9.4-10.5 11.5C7.8 23.9 3.5 20.1 3.5 14.5V6z" strokeLinejoin="round" />
      <circle cx="14" cy="12" r="2.6" />
      <path d="M14 14.6V19" strokeLinecap="round" />
    </svg>
  );
}
