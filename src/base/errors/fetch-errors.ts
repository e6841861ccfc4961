/** The codes of what the web did: names that do not resolve, fetches that fail or are refused. */

export const FETCH_ERRORS = {
  DNS_CLOSED: {
    retry: "later",
    meaning: "A name was not resolved because the agent was stopping.",
    remedy: "Nothing needs doing: the host is resolved again when the crawl is continued.",
  },
  DNS_NOT_FOUND: {
    retry: "never",
    meaning: "The host does not exist, or has no address: the name servers said so.",
    remedy:
      "Check the spelling of the seed or the link; the site may be gone. If no host at all is found, look at this machine's network and name servers (dns.servers).",
  },
  DNS_OVERLOADED: {
    retry: "later",
    meaning: "More hosts than the resolver holds were waiting to be resolved.",
    remedy: "It is tried again as the retry settings say; a faster server in dns.servers helps.",
  },
  DNS_SERVER_FAILED: {
    retry: "later",
    meaning: "The name servers failed, refused to answer, could not be reached, or sent nonsense.",
    remedy: "The site's servers may be down; if all hosts fail, check dns.servers and the network.",
  },
  DNS_TIMED_OUT: {
    retry: "later",
    meaning: "No name server answered for the host within dns.timeout.",
    remedy: "Raise dns.timeout if the servers are slow; if all hosts fail, check dns.servers.",
  },
  FETCH_ADDRESS_REFUSED: {
    retry: "never",
    meaning: "A host's address is not public, or is blocked, so no connection was made.",
    remedy:
      "If it is to be crawled, name its range in fetch.allowAddresses, or use --allow-private.",
  },
  FETCH_BODY_NOT_KEPT: {
    retry: "later",
    meaning:
      "A body that did not fit in memory could not be written to its temporary file, or read from it.",
    remedy:
      "Look at the reason in the message: a full or failing disk. Free some space, or raise fetch.bodyMemory.",
  },
  FETCH_BODY_NO_ROOM: {
    retry: "later",
    meaning: "A body had to go to disk, and memory had no room for bytes on their way there.",
    remedy:
      "Raise fetch.bodyMemory or lower fetch.concurrency: each connection may need 256 KiB of it.",
  },
  FETCH_CONNECT_FAILED: {
    retry: "later",
    meaning: "No connection to the server could be made: refused, reset, or no way there.",
    remedy:
      "Check the host and the port of the URL; the server may be down. It is tried again as the retry settings say.",
  },
  FETCH_CONTENT_CORRUPT: {
    retry: "never",
    meaning:
      "Compressed content is damaged or ends too soon; what could be unpacked before that is kept.",
    remedy: "The server's mistake, or a body that was cut: nothing needs doing.",
  },
  FETCH_CONTENT_NOT_ENCODED: {
    retry: "never",
    meaning: "The server says that content is compressed, but it is not; it is used as it came.",
    remedy: "The server's mistake: nothing needs doing.",
  },
  FETCH_CONTENT_TOO_LARGE: {
    retry: "never",
    meaning:
      "Compressed content becomes larger than a limit when it is unpacked, or takes too long; it was cut there.",
    remedy:
      "Raise fetch.maxBody if such pages are wanted; beware of content made to exhaust readers.",
  },
  FETCH_CONTENT_TOO_MANY_ENCODINGS: {
    retry: "never",
    meaning:
      "The server says that content was compressed more often than is unpacked; it is used as it came.",
    remedy:
      "Such answers are made to exhaust readers, or are a server's mistake: nothing needs doing.",
  },
  FETCH_CONTENT_UNKNOWN_ENCODING: {
    retry: "never",
    meaning: "Content is compressed in a way that is not known here; it is used as it came.",
    remedy:
      "Nothing needs doing: the page is archived as it was received, but its links are not found.",
  },
  FETCH_DISCONNECTED: {
    retry: "later",
    meaning: "The server closed the connection before the head of its answer was complete.",
    remedy: "The server may be overloaded; it is tried again as the retry settings say.",
  },
  FETCH_FILE_MISSING: {
    retry: "never",
    meaning: "A file: URL names a file that is not there.",
    remedy: "Correct the link or the seed that names it.",
  },
  FETCH_FILE_REFUSED: {
    retry: "never",
    meaning:
      "A file: URL leads out of the folders of the seeds, or to something that is no file or folder.",
    remedy: "Give the other folder as a seed if it is wanted; the facts say why it was refused.",
  },
  FETCH_FILE_UNREADABLE: {
    retry: "never",
    meaning: "The operating system refused to open or read a file that a file: URL names.",
    remedy: "Check the file's rights; the message holds the system's reason.",
  },
  FETCH_NO_SOCKET: {
    retry: "later",
    meaning: "This machine had no socket left: too many connections, descriptors or ports in use.",
    remedy:
      "Lower fetch.concurrency or fetch.keepAlive, or raise the limit on open files (`ulimit -n`).",
  },
  FETCH_PORT_REFUSED: {
    retry: "never",
    meaning: "A URL's port is not among those that are crawled, or is the crawler's own.",
    remedy: "If it is to be crawled, add it to fetch.ports; the crawler's own ports never are.",
  },
  FETCH_PROTOCOL: {
    retry: "later",
    meaning: "The server's answer is not HTTP, or its head is longer than the limit.",
    remedy:
      "Look at the server's answer: it may speak another protocol on this port, such as https. It is tried again as the retry settings say.",
  },
  FETCH_PROXY_FAILED: {
    retry: "later",
    meaning: "The proxy could not be reached, answered nonsense, or could not reach the server.",
    remedy:
      "Check that fetch.proxy names the right host and port and that the proxy runs; its own log may say more.",
  },
  FETCH_PROXY_REFUSED: {
    retry: "never",
    meaning: "The proxy wants other credentials, or does not allow this server.",
    remedy: "Put the user and password into the URL of fetch.proxy, or ask who runs the proxy.",
  },
  FETCH_REQUEST_INVALID: {
    retry: "never",
    meaning: "A request was not sent: its URL or a header has what no request may hold.",
    remedy: "Correct what the message names; such a request could be taken for two.",
  },
  FETCH_ROBOTS_INCOMPLETE: {
    retry: "later",
    meaning:
      "A robots.txt was cut short, damaged, or encoded in a way that is not known, so it gives no permission.",
    remedy:
      "It is tried again as the retry settings say; if it goes on, tell whoever runs the server.",
  },
  FETCH_SCHEME_REFUSED: {
    retry: "never",
    meaning: "The URL has a scheme for which there is no protocol module.",
    remedy: "Only http, https and, for local files, file are fetched.",
  },
  FETCH_TIMED_OUT: {
    retry: "later",
    meaning: "The server did not connect or answer within a time limit, which the facts name.",
    remedy:
      "Raise fetch.connectTimeout, fetch.headerTimeout or fetch.totalTimeout if it is just slow.",
  },
  FETCH_TLS_CERTIFICATE: {
    retry: "never",
    meaning: "The server's certificate does not verify.",
    remedy:
      "It may be expired, self-signed or for another host; fetch.insecure accepts such certificates.",
  },
  FETCH_TLS_FAILED: {
    retry: "later",
    meaning: "No TLS connection could be agreed on, or the server does not speak TLS there.",
    remedy:
      "Try the URL with http, or look at the server's versions and ciphers of TLS. It is tried again as the retry settings say.",
  },
} as const;
