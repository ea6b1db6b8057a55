#pragma once
#include <iconv.h>
#include <libxml/xmlversion.h>
// libxml2's headers bring ICU's, which clash with the ICU that Foundation brings; nothing here uses them.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
