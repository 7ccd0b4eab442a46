import { Link, type LinkProps } from "@remix-run/react";

interface Props extends LinkProps {
  /** What the button sends; `to` with the link's address unless given. */
  name?: string;
  value?: string;
}

/**
 * A link inside a form whose ticks are to be kept. With scripts `to` is up to date with them; without scripts it is a button that looks
 * like a link and sends them along.
 */
export function KeepingLink({ name = "to", value, ...link }: Props) {
  const { to, children, "aria-current": current } = link;
  return (
    <>
      <Link {...link} className="js-only" />
      <button
        type="submit"
        name={name}
        value={value ?? (typeof to === "string" ? to : undefined)}
        className="as-link no-js"
        aria-current={current}
      >
        {children}
      </button>
    </>
  );
}
