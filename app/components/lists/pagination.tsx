import { Link, type LinkProps } from "@remix-run/react";

interface Props {
  page: number;
  pages: number;
  /** Whether there are more pages, which are not counted. */
  hasMore?: boolean;
  href: (page: number) => string;
  label?: string;
  /** The component to use instead of a plain link. */
  link?: React.ComponentType<LinkProps>;
}

/** Returns the first and last page, and the current page with its neighbours; null marks a gap. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const near = Array.from({ length: pages }, (_, index) => index + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= 1,
  );
  return near.flatMap((number, index) => {
    const gap = number - (near[index - 1] ?? 0) > 1;
    return gap ? [null, number] : [number];
  });
}

export function Pagination({ page, pages, hasMore = false, href, label = "Pages", link: PageLink = Link }: Props) {
  if (pages <= 1) return null;
  return (
    <nav className="pager" aria-label={label}>
      <ul role="list">
        {page > 1 && (
          <li>
            <PageLink to={href(page - 1)} rel="prev">
              Previous
            </PageLink>
          </li>
        )}
        {pageNumbers(page, pages).map((number, index) => (
          <li key={number ?? `gap-${index}`}>
            {number === null ? (
              <span>…</span>
            ) : (
              <PageLink to={href(number)} aria-current={number === page ? "page" : undefined}>
                <span className="vh">Page </span>
                {number}
              </PageLink>
            )}
          </li>
        ))}
        {hasMore && (
          <li>
            <span>…</span>
          </li>
        )}
        {page < pages && (
          <li>
            <PageLink to={href(page + 1)} rel="next">
              Next
            </PageLink>
          </li>
        )}
      </ul>
    </nav>
  );
}
