"""Scrapy, following every link of every page, with its delays and its extras switched off."""
import scrapy


class AllLinks(scrapy.Spider):
    name = "all-links"
    custom_settings = {
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, seed, **rest):
        super().__init__(**rest)
        self.start_urls = [seed]

    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse)
