interface Props {
  href: string;
  className?: string;
  children: React.ReactNode;
}

/**
 * A plain link to a file. The response itself says that the file is to be saved. With the attribute `download` a browser would save the
 * page of a refusal as the file.
 */
export const DownloadLink = (props: Props) => <a {...props} />;
