import { Link, type LinkProps } from "@remix-run/react";

interface Props extends LinkProps {
  /** The name and value that the button sends. The default is `to` with the address of the link. */
  name?: string;
  value?: string;
}

/**
 * A link inside a form that keeps the ticks of the form. With scripts `to` contains the current ticks. Without scripts it is a button that
 * looks like a link and submits them.
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
