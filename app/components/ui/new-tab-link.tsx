interface Props {
  href: string;
  children: React.ReactNode;
}

/** For the few links that the specification wants in a new tab. */
export function NewTabLink({ href, children }: Props) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children} (opens in a new tab)
    </a>
  );
}
