interface Props {
  href: string;
  className?: string;
  children: React.ReactNode;
}

/**
 * A plain link to a file. The answer itself says that it is to be saved: with the attribute `download` a browser would save the page that
 * refuses it as the file.
 */
export const DownloadLink = (props: Props) => <a {...props} />;
