internal import CCurl

/// Owns one curl easy handle: typed options in, typed infos out.
///
/// Belongs to the loop's thread. Must not be in a multi handle any more when it goes.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    init() throws(TransferError) {
        guard let pointer = curl_easy_init() else { throw .loopUnavailable("libcurl gave no handle") }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        // libcurl reads the list until the handle is gone.
        curl_slist_free_all(headerList)
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransferError) {
        try check(podget_setopt_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, offset value: Int64) throws(TransferError) {
        try check(podget_setopt_offset(pointer, option, curl_off_t(value)), option)
    }

    func set(_ option: CURLoption, _ value: String?) throws(TransferError) {
        try check(podget_setopt_string(pointer, option, value), option)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(TransferError) {
        try check(podget_setopt_pointer(pointer, option, value), option)
    }

    func set(_ option: CURLoption, callback: curl_write_callback) throws(TransferError) {
        try check(podget_setopt_callback(pointer, option, callback), option)
    }

    /// Sets the request's header fields, once.
    func set(headers: [String]) throws(TransferError) {
        for header in headers {
            guard let list = curl_slist_append(headerList, header) else {
                throw .loopUnavailable("out of memory")
            }
            headerList = list
        }
        try check(podget_setopt_list(pointer, CURLOPT_HTTPHEADER, headerList), CURLOPT_HTTPHEADER)
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return podget_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return podget_getinfo_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard podget_getinfo_string(pointer, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    private func check(_ code: CURLcode, _ option: CURLoption) throws(TransferError) {
        if code == CURLE_OK { return }
        throw .loopUnavailable("option \(option.rawValue): \(String(cString: curl_easy_strerror(code)))")
    }
}
