interface Props {
  href: string;
  children: React.ReactNode;
}

/** For the few links that open in a new tab by the specification. */
export function NewTabLink({ href, children }: Props) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children} (opens in a new tab)
    </a>
  );
}
